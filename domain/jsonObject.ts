/** An object of JSON of which nothing else is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether it is one: neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
