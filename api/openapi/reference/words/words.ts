/** Descriptions of fields, outside of the schemas, which contain rules only. */

/**
 * Descriptions by the name of a schema: `''` for the schema itself, then for its fields by their path, `[]` for the
 * items of a list.
 */
export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Words of several schemas that have the same fields. */
export const same = (names: readonly string[], words: Readonly<Record<string, string>>): Words =>
  Object.fromEntries(names.map((name) => [name, words]));
