import { forgottenPages, type PersonVault, personPages } from '../ports/personVault.js';

/** Makes one vault hold all that another holds; may be called again. `at`: RFC 3339, of who was forgotten there. */
export async function copyVault(from: PersonVault, to: PersonVault, at: string): Promise<void> {
  for await (const page of personPages(from)) await to.add(page, await from.linksOf(page.map(({ id }) => id)));
  await copyForgotten(from, to, at);
}

/** Has a vault forget whom another has forgotten: what a copy of before still holds of them goes. Answers how many that are. */
export async function copyForgotten(from: PersonVault, to: PersonVault, at: string): Promise<number> {
  let count = 0;
  for await (const { persons } of forgottenPages(from)) {
    const known = await to.forgotten(persons);
    await to.forget(persons, at);
    count += persons.length - known.size;
  }
  return count;
}
