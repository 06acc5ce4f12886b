import type { PersonVault } from '../ports/personVault.js';

const PAGE = 500;

/** Makes one vault hold all that another holds; may be called again. `at`: RFC 3339, of who was forgotten there. */
export async function copyVault(from: PersonVault, to: PersonVault, at: string): Promise<void> {
  for (let after = ''; ; ) {
    const page = await from.page(after, PAGE);
    if (page.length === 0) break;
    await to.add(page, await from.linksOf(page.map(({ id }) => id)));
    after = page.at(-1)!.id;
  }
  await copyForgotten(from, to, at);
}

/** Has a vault forget whom another has forgotten: what a copy of before still holds of them goes. Answers how many that are. */
export async function copyForgotten(from: PersonVault, to: PersonVault, at: string): Promise<number> {
  let count = 0;
  for (let through = 0; ; ) {
    const page = await from.forgottenAfter(through);
    if (page.persons.length === 0) return count;
    await to.forget(page.persons, at);
    count += page.persons.length;
    through = page.through;
  }
}

export async function countForgotten(vault: PersonVault): Promise<number> {
  let count = 0;
  for (let through = 0; ; ) {
    const page = await vault.forgottenAfter(through);
    if (page.persons.length === 0) return count;
    count += page.persons.length;
    through = page.through;
  }
}
