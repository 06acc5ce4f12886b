/** Strings of the path and the query become the values that an operation declares. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The values of a query string by name, in order. `undefined`: not percent-encoded UTF-8. */
export function parseQuery(url: string): Map<string, (string | undefined)[]> {
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
