/** The log of a thread: its lines are written by the thread that started it. */
import type { Log } from '../../../engine/ports/log.js';

export type LogLevel = Exclude<keyof Log, 'isLevelEnabled'>;

export interface LogLine {
  readonly log: LogLevel;
  readonly fields: object;
  readonly message: string;
}

/** Only what survives a message: an error's name and message, not its cause chain. */
const plain = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );

export function threadLog(send: (line: LogLine) => void): Log {
  const logger = (log: LogLevel) => (fields: object, message: string) => send({ log, fields: plain(fields), message });
  return {
    debug: logger('debug'),
    info: logger('info'),
    warn: logger('warn'),
    error: logger('error'),
    isLevelEnabled: () => true,
  };
}
