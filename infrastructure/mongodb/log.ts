/** What the adapter says while it runs; pino's loggers have this form. */
export interface MongoLog {
  warn(fields: object, message: string): void;
}

export const silent: MongoLog = { warn: () => undefined };
