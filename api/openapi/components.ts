/** The named schemas of the OpenAPI document. */

export type JsonObject = Record<string, unknown>;

/** Schemas with a title are put once among the components, under it. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {};
  readonly #texts = new Map<string, string>();

  /** A reference to the schema's component, or the schema itself when it has no name. */
  place(schema: unknown): JsonObject {
    const parts = this.#parts(JSON.parse(JSON.stringify(schema)) as JsonObject);
    const name = parts.title;
    if (typeof name !== 'string' || !/^[A-Z][A-Za-z0-9]*$/.test(name)) return parts;
    const text = JSON.stringify(parts);
    const before = this.#texts.get(name);
    if (before !== undefined && before !== text) throw new Error(`two schemas have the name ${name}`);
    this.#texts.set(name, text);
    this.schemas[name] = parts;
    return { $ref: `#/components/schemas/${name}` };
  }

  #parts(schema: JsonObject): JsonObject {
    const { properties, items, anyOf, oneOf, allOf } = schema;
    const list = (of: unknown) => (of as unknown[]).map((one) => this.place(one));
    return {
      ...schema,
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties as JsonObject).map(([name, one]) => [name, this.place(one)]),
        ),
      }),
      ...(items !== undefined && { items: this.place(items) }),
      ...(anyOf !== undefined && { anyOf: list(anyOf) }),
      ...(oneOf !== undefined && { oneOf: list(oneOf) }),
      ...(allOf !== undefined && { allOf: list(allOf) }),
    };
  }
}
