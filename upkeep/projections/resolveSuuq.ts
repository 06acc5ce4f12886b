/** Module hooks, for a projection's file that lives outside the project: what it imports of `suuq` is this release. */
const MODULES: Readonly<Record<string, string>> = {
  suuq: '../../engine/index.js',
  'suuq/engine': '../../engine/index.js',
  'suuq/api': '../../api/types.js',
};

type Resolved = { readonly url: string; readonly shortCircuit?: boolean };

export function resolve(
  specifier: string,
  context: object,
  next: (specifier: string, context: object) => Resolved | Promise<Resolved>,
): Resolved | Promise<Resolved> {
  const own = MODULES[specifier];
  if (own === undefined) return next(specifier, context);
  return { url: new URL(own, import.meta.url).href, shortCircuit: true };
}
