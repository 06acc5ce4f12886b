import { forgottenPages, type PersonVault, personPages } from '../ports/personVault.js';

/** Copies everything in a vault to another vault; can be repeated. `at`: RFC 3339, recorded for forgotten persons. */
export async function copyVault(from: PersonVault, to: PersonVault, at: string): Promise<void> {
  for await (const page of personPages(from)) await to.add(page, await from.linksOf(page.map(({ id }) => id)));
  await copyForgotten(from, to, at);
}

/**
 * Makes a vault forget every person that another vault has forgotten, which removes keys that an older copy still has.
 * Returns the number of newly forgotten persons.
 */
export async function copyForgotten(from: PersonVault, to: PersonVault, at: string): Promise<number> {
  let count = 0;
  for await (const { persons } of forgottenPages(from)) {
    const known = await to.forgotten(persons);
    await to.forget(persons, at);
    count += persons.length - known.size;
  }
  return count;
}
