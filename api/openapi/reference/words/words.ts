/** What the reference says of fields: texts beside the schemas, which hold the rules alone. */

/** By the name of a schema: `''` of the schema itself, then of its fields by their path, `[]` for the items of a list. */
export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Words of several schemas that have the same fields. */
export const same = (names: readonly string[], words: Readonly<Record<string, string>>): Words =>
  Object.fromEntries(names.map((name) => [name, words]));
