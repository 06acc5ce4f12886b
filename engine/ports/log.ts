/** Log for operators: fields for machines, a message for readers, never secrets. A pino logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** True if entries of this level are written. Check it before building an expensive entry. */
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
