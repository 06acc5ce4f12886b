/**
 * Forgets customers, and who has worked for a store: their files are deleted, it is said in the log, their keys are destroyed, what waits to be sent to them or about them
 * is erased, and the read models are made anew. What is under way is noted first, so that it ends after any interruption.
 */
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../domain/decider.js';
import { deleteFile, file } from '../../domain/files/file.js';
import { forgetPerson, person, type RetentionRule } from '../../domain/privacy/people.js';
import { store } from '../../domain/stores/store.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { CollectionDefinition, DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { releaseBytes } from '../files/storage.js';
import type { PersonKeys } from '../ports/personKeys.js';
import type { SecretBox } from '../ports/secretBox.js';
import { eraseTasks, type Traces } from './owed.js';
import { ordersOf, personOf } from './person.js';
import { PersonData } from './personData.js';

interface OfStore {
  readonly workspaceId: string;
  /** Ids of the keys. */
  readonly persons: readonly string[];
  /** Absent: the operator asked for it. */
  readonly by?: RetentionRule;
}

/** A customer of one store. */
export interface Subject extends OfStore {
  /** Their phone (E.164), or their user id. */
  readonly value: string;
}

/** Somebody who has worked for one store. */
export interface StaffSubject extends OfStore {
  /** In which kept answers name them: ids, their e-mail. */
  readonly values: readonly string[];
}

/** Commands for a store's events, by whoever has it done. */
export type CommandsAbout = (about: { workspaceId: string; partnerId?: string }) => BoundCommands;

export interface ForgettingParts {
  readonly people: PersonKeys;
  readonly reads: Reads;
  readonly log: Pick<EventStore, 'readStream'>;
  readonly work: DocumentStore;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly projections: Pick<ProjectionHost, 'rebuild' | 'status'>;
  /** Read models that hold anything of customers. */
  readonly names: readonly string[];
  /** The same of those who work for stores. */
  readonly staffNames: readonly string[];
  /** For what is gone on with after an interruption. */
  readonly commands: CommandsAbout;
  /** Nobody else works on the same data: what is noted and not in hand here was interrupted. */
  readonly alone: boolean;
}

/** `begun`: keys may still be there. `keys_gone`: read models are still to be made anew. */
type Stage = 'begun' | 'keys_gone';

interface Noted {
  readonly stage: Stage;
  /** ms since 1970. */
  readonly at: number;
  /** The subjects, sealed: until their keys are gone they are needed by name. */
  readonly sealed?: string;
  readonly names: readonly string[];
}

export const forgettings: CollectionDefinition = { name: 'forgettings', keys: {}, indexes: [] };
/** As many are under way at once at most, by far: of more the rest waits for the next look. */
const MOST_NOTED = 100;
/** What another instance has begun is gone on with when it has rested for so long, in ms. */
const ABANDONED_MS = 60_000;

const contextOf = (id: string): string => `forgetting:${id}`;

export class Forgetting {
  readonly #parts: ForgettingParts;
  #turn: Promise<unknown> = Promise.resolve();
  #opened: Promise<void> | undefined;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
  }

  /** Read models that it has made anew. */
  get names(): readonly string[] {
    return this.#parts.names;
  }

  /** The same for those who work for stores. */
  get staffNames(): readonly string[] {
    return this.#parts.staffNames;
  }

  /**
   * Resolves when nobody can read them any more, and the read models of this instance are being made anew. Answers how many files of
   * theirs were deleted. May be repeated. Rejects with StoreUnavailable: then it is gone on with by `resume`.
   */
  forget(subjects: readonly Subject[], commands: CommandsAbout): Promise<number> {
    return this.#forget(subjects, this.#parts.names, commands);
  }

  /** The same of those who have worked for stores: they have no files, and nothing waits to be sent to them. */
  async forgetStaff(subjects: readonly StaffSubject[], commands: CommandsAbout): Promise<void> {
    await this.#forget(subjects, this.#parts.staffNames, commands);
  }

  #forget(
    subjects: readonly (Subject | StaffSubject)[],
    names: readonly string[],
    commands: CommandsAbout,
  ): Promise<number> {
    return this.#inTurn(async () => {
      const { work, secretBox, clock } = this.#parts;
      const id = randomUUID();
      const sealed = secretBox.seal(JSON.stringify(subjects), contextOf(id));
      const body: Noted = { stage: 'begun', at: clock.now(), sealed, names };
      await this.#open();
      await work.insert(forgettings.name, { id, keys: {}, revision: 1, body });
      const files = await this.#destroy(subjects, commands);
      await this.#anew(await this.#keysGone(id, names));
      return files;
    });
  }

  /** Whether somebody is being forgotten, here or on another instance, or was when it was interrupted. */
  async isUnderWay(): Promise<boolean> {
    return (await this.#noted(1)).length > 0;
  }

  /**
   * Goes on with what was interrupted, and makes the read models of this instance anew for what others have begun; answers how many that
   * were.
   */
  resume(): Promise<number> {
    return this.#inTurn(async () => {
      const { clock, secretBox, commands, alone } = this.#parts;
      const found = await this.#noted(MOST_NOTED);
      for (const { id, body } of found) {
        if (body.stage === 'begun') {
          if (!alone && clock.now() - body.at < ABANDONED_MS) continue;
          const subjects = JSON.parse(secretBox.open(body.sealed!, contextOf(id))) as (Subject | StaffSubject)[];
          await this.#destroy(subjects, commands);
        }
        await this.#anew(await this.#keysGone(id, body.names));
      }
      return found.length;
    });
  }

  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(run, run);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #open(): Promise<void> {
    this.#opened ??= this.#parts.work.open(forgettings).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #noted(limit: number): Promise<StoredDocument<Noted>[]> {
    const { work } = this.#parts;
    await this.#open();
    return work.find<Noted>(forgettings.name, { limit });
  }

  /** All but the read models. First said in the log, then done. */
  async #destroy(subjects: readonly (Subject | StaffSubject)[], commandsAbout: CommandsAbout): Promise<number> {
    const { people, work } = this.#parts;
    const traces: Traces = { values: new Set(), orders: new Set() };
    const ofStaff: string[] = [];
    let files = 0;
    for (const subject of subjects) {
      const { workspaceId } = subject;
      const about = { workspaceId, ...(await this.#partnerOf(commandsAbout({ workspaceId }), workspaceId)) };
      const commands = commandsAbout(about);
      if ('values' in subject) ofStaff.push(...subject.values);
      else files += await this.#trace(subject, about.partnerId, commands, traces);
      for (const id of subject.persons) await commands.decide(person, id, forgetPerson(id, subject.by));
    }
    const persons = subjects.flatMap((one) => one.persons);
    await people.forget(persons, [...traces.values, ...ofStaff]);
    if (traces.values.size > 0) await eraseTasks(work, traces);
    return files;
  }

  async #partnerOf(commands: BoundCommands, workspaceId: string): Promise<{ partnerId?: string }> {
    const found = await commands.query(store, workspaceId, (state) => state);
    return found.status === 'absent' || found.partnerId === undefined ? {} : { partnerId: found.partnerId };
  }

  /** Deletes the files that they sent or were sent, and notes by what else they are known. */
  async #trace(
    { workspaceId, value }: Subject,
    partnerId: string | undefined,
    commands: BoundCommands,
    { values, orders }: Traces,
  ): Promise<number> {
    const { reads, log, work } = this.#parts;
    for (const one of value.startsWith('+') ? [value, value.slice(1)] : [value]) values.add(one);
    const found = await personOf({ reads, commands }, workspaceId, value);
    if (found === undefined) return 0;
    for (const { id } of found.conversations) values.add(id);
    for await (const { id } of ordersOf(reads, found)) orders.add(id);
    let files = 0;
    for await (const { id } of new PersonData({ reads, log, work, partnerId }, found).files()) {
      try {
        await commands.decide(file, id, deleteFile(workspaceId));
        await releaseBytes({ commands, workspaceId }, id);
        files += 1;
      } catch (error) {
        // Deleted meanwhile, or before.
        if (!(error instanceof DomainError)) throw error;
      }
    }
    return files;
  }

  /** From here on nobody needs their names. */
  async #keysGone(id: string, names: readonly string[]): Promise<StoredDocument<Noted> | undefined> {
    const { work, clock } = this.#parts;
    const before = await work.get<Noted>(forgettings.name, id);
    if (before === undefined || before.body.stage === 'keys_gone') return before;
    const body: Noted = { stage: 'keys_gone', at: clock.now(), names };
    await work.replace(forgettings.name, before.revision, { id, keys: {}, revision: before.revision + 1, body });
    return work.get<Noted>(forgettings.name, id);
  }

  /** A build that has begun goes on after any restart; when all have, nothing is left to note. */
  async #anew(noted: StoredDocument<Noted> | undefined): Promise<void> {
    if (noted === undefined) return;
    const { projections } = this.#parts;
    const begun = new Set<string>();
    const busy = await this.#busy();
    for (const name of noted.body.names) {
      if (busy.has(name)) continue;
      try {
        await projections.rebuild(name, true);
        begun.add(name);
      } catch (error) {
        if (!isElsewhere(error)) throw error;
      }
    }
    if (begun.size > 0) await this.#begun(noted, begun);
  }

  /** Shared builds that fill are not broken off, and may have read who was forgotten: they are made once more when they are there. */
  async #busy(): Promise<ReadonlySet<string>> {
    const { projections, alone } = this.#parts;
    const all = alone ? [] : await projections.status();
    return new Set(all.filter(({ state }) => state === 'rebuilding').map(({ name }) => name));
  }

  async #begun(noted: StoredDocument<Noted>, begun: ReadonlySet<string>): Promise<void> {
    const { work } = this.#parts;
    const { id, revision, body } = noted;
    const names = body.names.filter((name) => !begun.has(name));
    if (names.length === 0) return work.write({ [forgettings.name]: { remove: [{ id, revision }] } });
    const next = { id, keys: {}, revision: revision + 1, body: { ...body, names } };
    if (await work.replace(forgettings.name, revision, next)) return;
    const now = await work.get<Noted>(forgettings.name, id);
    if (now !== undefined) await this.#begun(now, begun);
  }
}

/** A read model of another instance, which makes it anew when it looks. The runtime says so in words alone. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && / is run by the instance |no instance runs | kept by another instance /.test(error.message);
