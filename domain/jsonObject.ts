/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object that is neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
