/** Strings of the path and the query become the values that an operation declares. */
/** Values by name, in order; undefined: not percent-encoded UTF-8. */
export type RawValues = ReadonlyMap<string, readonly (string | undefined)[]>;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The values of a URL's query. */
export function parseQuery(url: string): RawValues {
  const found = new Map<string, (string | undefined)[]>();
  const start = url.indexOf('?');
  if (start === -1) return found;
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || name === '') continue;
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

/**
 * A parameter's text as its schema's type. What does not fit stays text, so that the validation reports it. A list is
 * written with commas. UUIDs are compared in lower case.
 */
export function coerce(text: string, schema: Readonly<Record<string, unknown>>): unknown {
  switch (schema.type) {
    case 'integer':
      return /^-?\d{1,20}$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array': {
      const items = (schema.items ?? {}) as Readonly<Record<string, unknown>>;
      return text === '' ? [] : text.split(',').map((item) => coerce(item, items));
    }
    default:
      return schema.format === 'uuid' ? text.toLowerCase() : text;
  }
}
