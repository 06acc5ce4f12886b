/** The code of an error, or else its name: neither contains personal data. */
export function errorType(error: unknown): string | undefined {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : undefined;
}
