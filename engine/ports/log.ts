/** Where every part says what an operator should know: fields for machines, a sentence for people; never secrets. A pino logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether an entry of this level is written at all, for what is costly to put together. */
  isLevelEnabled(level: 'debug'): boolean;
}

const nothing = (): void => undefined;

export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  isLevelEnabled: () => false,
};
