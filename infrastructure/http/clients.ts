/** The package that speaks HTTP to others: loaded with the first call that goes out, since no start needs it. */

export type Clients = typeof import('undici');

let loaded: Clients | undefined;

/** At once where it is loaded already. */
export const clients = (): Clients | Promise<Clients> => loaded ?? load();

async function load(): Promise<Clients> {
  loaded ??= await import('undici');
  return loaded;
}
