/** A new person: nothing is known of them but a key, which is kept sealed under a key of the installation. */
export interface NewPerson {
  readonly id: string;
  /** Their key, sealed. */
  readonly key: string;
}

/** By what a person is found: a keyed hash of a store and a phone or user id, from which neither is learned. */
export interface PersonLink {
  readonly lookup: string;
  readonly person: string;
}

/**
 * The keys of the people whom a log tells of, apart from the log. A person whose row is gone cannot be read any more, in no copy
 * of the log. One contract suite, test/contracts/personVault.ts, holds for each engine. Rejects with StoreUnavailable.
 */
export interface PersonVault {
  /** Of those lookups, oldest first. */
  links(lookups: readonly string[]): Promise<readonly PersonLink[]>;
  /** All that lead to those people. */
  linksOf(persons: readonly string[]): Promise<readonly PersonLink[]>;
  /** Durable when it resolves; what stands already stays as it is. */
  add(persons: readonly NewPerson[], links: readonly PersonLink[]): Promise<void>;
  /** The sealed keys of those who have one. */
  keys(persons: readonly string[]): Promise<Map<string, string>>;
  /** Puts newly sealed keys in place of those that stand; nobody is added. */
  reseal(persons: readonly NewPerson[]): Promise<void>;
  /** People with their keys, by id from (exclusive) one on, at most `limit`. */
  page(after: string, limit: number): Promise<readonly NewPerson[]>;
  /**
   * Removes keys and links, overwritten where the engine can, and notes who it was. Durable when it resolves; may be
   * repeated. `at`: RFC 3339.
   */
  forget(persons: readonly string[], at: string): Promise<void>;
  /** Those of them who were forgotten. */
  forgotten(persons: readonly string[]): Promise<Set<string>>;
  /** Who was forgotten since (exclusive) an earlier `through`; from 0 on all, at most 1,000 at a time. */
  forgottenAfter(through: number): Promise<{ readonly persons: readonly string[]; readonly through: number }>;
  close(): Promise<void>;
}

const PAGE = 500;

/** Who was forgotten since (exclusive) an earlier `through`, a page at a time: none is empty. */
export async function* forgottenPages(vault: Pick<PersonVault, 'forgottenAfter'>, after = 0) {
  for (let through = after; ; ) {
    const page = await vault.forgottenAfter(through);
    if (page.persons.length === 0) return;
    yield page;
    through = page.through;
  }
}

/** Everybody with their keys, a page at a time: none is empty. */
export async function* personPages(vault: Pick<PersonVault, 'page'>): AsyncGenerator<readonly NewPerson[]> {
  for (let after = ''; ; ) {
    const page = await vault.page(after, PAGE);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}

/** What is needed to read who is sealed. */
export type VaultReads = Pick<PersonVault, 'keys' | 'forgotten' | 'forgottenAfter' | 'close'>;
