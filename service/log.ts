/** Structured logs: one JSON line an entry, without secrets. */

import { type DestinationStream, type Logger, pino } from 'pino';
import { defined } from '../domain/defined.js';
import { LogOutput, serviceOutput } from './logOutput.js';
import { standardError } from './output.js';
import { maskSecrets } from './secretMask.js';
import type { Env } from './settings/environment.js';
import { unknownSettings, unknownSettingText } from './settings/settingNames.js';
import type { LogLevel } from './settings/settings.js';

export type Log = Pick<Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'isLevelEnabled'>;

/** Fields that are never written, at the top of an entry and one level below. */
const HIDDEN = ['authorization', 'cookie', 'token', 'secret', 'apiKey', 'appSecret', 'verifyToken', 'masterKey'];

export interface LogOptions {
  /** Added to every line. */
  readonly instance?: string;
  /** Added to each line with its current value, such as ids of a trace. */
  readonly fields?: () => object;
  /** Standard output when absent. */
  readonly to?: DestinationStream;
}

/** `silent` writes nothing. */
export function createLog(level: LogLevel, { instance, fields, to = serviceOutput() }: LogOptions = {}): Log {
  const log = pino(
    {
      level,
      base: { service: 'suuq', ...defined({ instance }) },
      ...(fields && { mixin: fields }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: HIDDEN.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      hooks: { streamWrite: (line) => maskSecrets(line) },
    },
    to,
  );
  if (to instanceof LogOutput)
    to.onRecovery = (lines) => log.warn({ lines }, 'log lines dropped, output was unwritable');
  return log;
}

/** Log of a command whose own output goes elsewhere: errors, as lines of JSON on stderr. */
export const quietLog = (): Log => createLog('error', { to: new LogOutput(standardError()) });

/** A setting that is misspelt would silently be what it is without it. */
export function logUnknownSettings(env: Env, log: Log): void {
  for (const unknown of unknownSettings(env)) log.warn({ setting: unknown.name }, unknownSettingText(unknown));
}
