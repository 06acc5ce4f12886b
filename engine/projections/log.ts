/** Where the runtime says what a person should know; a pino logger fits. */
export interface RuntimeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silent: RuntimeLog = { info() {}, warn() {}, error() {} };
