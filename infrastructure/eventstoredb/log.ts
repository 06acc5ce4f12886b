/** Where the adapter says what an operator should know; never credentials. */
export interface AdapterLog {
  warn(details: object, text: string): void;
}
