/** Notes of erasures in progress, so that a restart or another instance can continue. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../engine/ports/clock.js';
import type { CollectionDefinition, DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import type { SecretBox } from '../ports/secretBox.js';

export interface Noted {
  /** `begun`: keys may still exist. `keys_gone`: rebuilds must still start. `rebuilding`: queries may still read the previous builds. */
  readonly stage: 'begun' | 'keys_gone' | 'rebuilding';
  /** ms since 1970. */
  readonly at: number;
  /** The subjects, sealed: their names are needed until their keys are destroyed. */
  readonly sealed?: string;
  /** Names of read models whose rebuild must still start, or end. */
  readonly names: readonly string[];
  /** Names of all read models to rebuild; absent before the keys are gone. */
  readonly all?: readonly string[];
}

export const forgettings: CollectionDefinition = { name: 'forgettings', keys: {}, indexes: [] };

const contextOf = (id: string): string => `forgetting:${id}`;

interface Parts {
  readonly work: DocumentStore;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}

/** Each method rejects with StoreUnavailable. */
export class ForgettingNotes {
  readonly #parts: Parts;
  #opened: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the note's id. */
  async begin(subjects: readonly object[], names: readonly string[]): Promise<string> {
    const { work, secretBox, clock } = this.#parts;
    const id = randomUUID();
    const sealed = secretBox.seal(JSON.stringify(subjects), contextOf(id));
    const body: Noted = { stage: 'begun', at: clock.now(), sealed, names };
    await this.#open();
    await work.insert(forgettings.name, { id, keys: {}, revision: 1, body });
    return id;
  }

  async some(limit: number): Promise<StoredDocument<Noted>[]> {
    await this.#open();
    return this.#parts.work.find<Noted>(forgettings.name, { limit });
  }

  /** Returns the subjects of a note in the stage `begun`. */
  subjectsOf<S>({ id, body }: StoredDocument<Noted>): S[] {
    return JSON.parse(this.#parts.secretBox.open(body.sealed!, contextOf(id))) as S[];
  }

  /** Adds what was found of the subjects, which cannot be found again once their keys are gone. */
  async traced(id: string, subjects: readonly object[]): Promise<void> {
    const { work, secretBox, clock } = this.#parts;
    const sealed = secretBox.seal(JSON.stringify(subjects), contextOf(id));
    for (;;) {
      const before = await work.get<Noted>(forgettings.name, id);
      if (before?.body.stage !== 'begun') return;
      if (await this.#replace(before, { ...before.body, at: clock.now(), sealed })) return;
    }
  }

  /** Renews the note of work in progress. Returns false if another instance has just renewed it, or it has ended. */
  async renewed(id: string): Promise<boolean> {
    const { work, clock } = this.#parts;
    const before = await work.get<Noted>(forgettings.name, id);
    if (before?.body.stage !== 'begun') return false;
    return this.#replace(before, { ...before.body, at: clock.now() });
  }

  /** Removes the subjects, whose names nobody needs any more. Undefined: it has ended. */
  async keysGone(id: string): Promise<StoredDocument<Noted> | undefined> {
    const { work, clock } = this.#parts;
    const before = await work.get<Noted>(forgettings.name, id);
    if (before === undefined || before.body.stage !== 'begun') return before;
    const { names } = before.body;
    await this.#replace(before, { stage: 'keys_gone', at: clock.now(), names, all: names });
    return work.get<Noted>(forgettings.name, id);
  }

  /** Removes read models whose rebuild has started. After the last of them the note waits for the end of all rebuilds. */
  async rebuildsStarted(noted: StoredDocument<Noted>, started: ReadonlySet<string>): Promise<void> {
    const { work, clock } = this.#parts;
    const { id, body } = noted;
    const { all = body.names } = body;
    const names = body.names.filter((name) => !started.has(name));
    const next: Noted =
      names.length > 0 ? { ...body, names } : { stage: 'rebuilding', at: clock.now(), names: all, all };
    if (await this.#replace(noted, next)) return;
    const now = await work.get<Noted>(forgettings.name, id);
    if (now?.body.stage === 'keys_gone') await this.rebuildsStarted(now, started);
  }

  /** Removes a note whose read models have been rebuilt. */
  ended({ id, revision }: StoredDocument<Noted>): Promise<void> {
    return this.#parts.work.write({ [forgettings.name]: { remove: [{ id, revision }] } });
  }

  #replace({ id, revision }: StoredDocument<Noted>, body: Noted): Promise<boolean> {
    return this.#parts.work.replace(forgettings.name, revision, { id, keys: {}, revision: revision + 1, body });
  }

  #open(): Promise<void> {
    this.#opened ??= this.#parts.work.open(forgettings).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
