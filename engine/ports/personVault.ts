/** A new data subject. Only an id and a key are stored; the key is sealed under a key of the installation. */
export interface NewPerson {
  readonly id: string;
  /** The subject key, sealed. */
  readonly key: string;
}

/** Lookup of a data subject: a keyed hash of a store and a phone or user id, which reveals neither. */
export interface PersonLink {
  readonly lookup: string;
  readonly person: string;
}

/**
 * Keys of the data subjects in a log, stored apart from the log. Once a subject's row is deleted, their data is
 * unreadable in every copy of the log. The contract suite test/contracts/personVault.ts holds for each engine. Rejects
 * with StoreUnavailable.
 */
export interface PersonVault {
  /** Returns the links with these lookups, oldest first. */
  links(lookups: readonly string[]): Promise<readonly PersonLink[]>;
  /** Returns all links to these data subjects. */
  linksOf(persons: readonly string[]): Promise<readonly PersonLink[]>;
  /** Adds subjects and links; durable when it resolves. Existing entries stay unchanged. */
  add(persons: readonly NewPerson[], links: readonly PersonLink[]): Promise<void>;
  /** Returns the sealed keys, for those subjects that have one. */
  keys(persons: readonly string[]): Promise<Map<string, string>>;
  /** Replaces stored keys with newly sealed ones. Adds no subjects. */
  reseal(persons: readonly NewPerson[]): Promise<void>;
  /** Returns subjects with their keys, ordered by id, after (exclusive) an id, at most `limit`. */
  page(after: string, limit: number): Promise<readonly NewPerson[]>;
  /**
   * Removes keys and links, overwritten if the engine can, and notes the ids as forgotten. Durable when it resolves.
   * May be repeated. `at`: RFC 3339.
   */
  forget(persons: readonly string[], at: string): Promise<void>;
  /** Returns those of the subjects who were forgotten. */
  forgotten(persons: readonly string[]): Promise<Set<string>>;
  /** Returns subjects forgotten since (exclusive) an earlier `through`, at most 1,000. 0: from the first. */
  forgottenAfter(through: number): Promise<{ readonly persons: readonly string[]; readonly through: number }>;
  close(): Promise<void>;
}

const PAGE = 500;

/** Yields subjects forgotten since (exclusive) an earlier `through`, in pages that are never empty. */
export async function* forgottenPages(vault: Pick<PersonVault, 'forgottenAfter'>, after = 0) {
  for (let through = after; ; ) {
    const page = await vault.forgottenAfter(through);
    if (page.persons.length === 0) return;
    yield page;
    through = page.through;
  }
}

/** Yields all subjects with their keys, in pages that are never empty. */
export async function* personPages(vault: Pick<PersonVault, 'page'>): AsyncGenerator<readonly NewPerson[]> {
  for (let after = ''; ; ) {
    const page = await vault.page(after, PAGE);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
  }
}

/** Part of the vault that readers of sealed data need. */
export type VaultReads = Pick<PersonVault, 'keys' | 'forgotten' | 'forgottenAfter' | 'close'>;
