/**
 * Erases customers and staff of stores: deletes their files, records the erasure in the log, destroys their keys, erases pending messages
 * and webhooks, and rebuilds the read models. The work in progress is noted first, so that it is completed after any interruption.
 */
import { DomainError } from '../../domain/decider.js';
import { deleteFile, file, fileIn } from '../../domain/files/file.js';
import { forgetPerson, type LostKey, person, type RetentionRule } from '../../domain/privacy/person.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import { isElsewhere } from '../../engine/projections/ownerErrors.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { conversationFiles } from '../../projections/conversationFiles.js';
import { releaseBytes } from '../files/storage.js';
import type { PersonKeys } from '../ports/personKeys.js';
import type { PersonTexts } from '../ports/personTexts.js';
import type { SecretBox } from '../ports/secretBox.js';
import { aboutStore } from '../storeMetadata.js';
import { ForgettingNotes, type Noted } from './forgettingNotes.js';
import { eraseTasks, type Traces } from './pendingTasks.js';
import { type Known, namesOf, ordersOf, type Person, personOf } from './person.js';
import { PersonData } from './personData.js';

interface OfStore {
  readonly workspaceId: string;
  /** Ids of the keys. */
  readonly persons: readonly string[];
  /** Retention rule. Absent: the operator requested it. */
  readonly by?: RetentionRule;
}

/** A customer of one store. */
export interface Subject extends OfStore {
  /** Their phone (E.164), or their user id. */
  readonly value: string;
  /** Present once they were looked for: after an interruption their keys may be gone. */
  readonly known?: Known;
}

/** A current or former member of one store's staff. */
export interface StaffSubject extends OfStore {
  /** Values that identify them in stored responses: ids, their e-mail. */
  readonly values: readonly string[];
}

/** A person identified only by their events: their key is lost, or no store knows them. */
export interface EventsSubject {
  /** Ids of the keys. */
  readonly persons: readonly string[];
  /** Store or partner of their events, if any. */
  readonly about: { readonly workspaceId?: string; readonly partnerId?: string };
  /** Lost key. Absent: the operator requested it. */
  readonly by?: LostKey;
}

type AnySubject = Subject | StaffSubject | EventsSubject;

/** Returns commands for a store's events, on behalf of the caller. */
export type CommandsAbout = (about: { workspaceId?: string; partnerId?: string }) => BoundCommands;

export interface ForgettingParts {
  readonly people: PersonKeys;
  readonly reads: Reads;
  readonly log: Pick<EventStore, 'readStream'>;
  readonly work: DocumentStore;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly projections: Pick<ProjectionHost, 'rebuild' | 'status'>;
  /** Read models that contain data of customers. */
  readonly names: readonly string[];
  /** Read models that contain data of staff. */
  readonly staffNames: readonly string[];
  /** Commands for work that continues after an interruption. */
  readonly commands: CommandsAbout;
  /** Returns true if the customer of a stream was erased. */
  readonly isForgotten: PersonTexts['isForgotten'];
  /** True: no other instance works on the same data, so noted work that is not in progress here was interrupted. */
  readonly alone: boolean;
}

/** Maximum notes per check, far more than are usually in progress. The rest waits for the next check. */
const MOST_NOTED = 100;
/** Time in ms after which the work of another instance counts as abandoned. */
const ABANDONED_MS = 60_000;
/** Interval of renewing a note, in ms. */
const RENEWED_MS = ABANDONED_MS / 4;

/** Longest time until other instances report that they have begun to rebuild, in ms. */
const REPORTED_MS = 10_000;

/** Maximum other customers to check as recipients of a file. A file with more recipients belongs to the store. */
const MOST_LOOKED_AT = 1_000;

/** A subject with the data that a store has about them. */
interface Traced {
  readonly subject: AnySubject;
  readonly commands: BoundCommands;
  /** Undefined: no data. */
  readonly found: Person | undefined;
  readonly data: PersonData | undefined;
}

const withKnown = ({ subject, found }: Traced): AnySubject => {
  if (found === undefined || !('value' in subject)) return subject;
  const { phones, conversations } = found;
  return { ...subject, known: { phones, conversations: conversations.map(({ id }) => id) } };
};

export class Forgetting {
  readonly #parts: ForgettingParts;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #notes: ForgettingNotes;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
    this.#notes = new ForgettingNotes(parts);
  }

  /** Read models that it rebuilds for customers. */
  get names(): readonly string[] {
    return this.#parts.names;
  }

  /** Read models that it rebuilds for staff. */
  get staffNames(): readonly string[] {
    return this.#parts.staffNames;
  }

  /** Read models that it rebuilds for lost keys of customers and staff. */
  get lostNames(): readonly string[] {
    return [...new Set([...this.names, ...this.staffNames])];
  }

  /**
   * Resolves when nobody can read their data any more, and the read models of this instance are being rebuilt. Returns the number of their
   * deleted files. May be repeated. After a rejection with StoreUnavailable, `resume` continues.
   */
  forget(subjects: readonly (Subject | EventsSubject)[], commands: CommandsAbout): Promise<number> {
    return this.#forget(subjects, this.#parts.names, commands);
  }

  /** Same as `forget`, for staff: they have no files, and nothing waits to be sent to them. */
  async forgetStaff(subjects: readonly StaffSubject[], commands: CommandsAbout): Promise<void> {
    await this.#forget(subjects, this.#parts.staffNames, commands);
  }

  /** Makes events with lost keys readable as erased, and rebuilds all read models that may contain their data. */
  async eraseLost(subjects: readonly EventsSubject[], commands: CommandsAbout): Promise<void> {
    await this.#forget(subjects, this.lostNames, commands);
  }

  #forget(subjects: readonly AnySubject[], names: readonly string[], commands: CommandsAbout): Promise<number> {
    return this.#inTurn(async () => {
      const id = await this.#notes.begin(subjects, names);
      const files = await this.#destroy(id, subjects, commands);
      await this.#startRebuilds(await this.#notes.keysGone(id));
      return files;
    });
  }

  /** Returns true if an erasure is in progress, here or on another instance, or was interrupted. */
  async isUnderWay(): Promise<boolean> {
    return (await this.#notes.some(MOST_NOTED)).some(({ body }) => body.stage !== 'rebuilding');
  }

  /** Returns true from before the keys are destroyed until `resume` finds that all read models have been rebuilt. */
  async mayBeShown(): Promise<boolean> {
    return (await this.#notes.some(1)).length > 0;
  }

  /** Continues interrupted erasures, and rebuilds the read models of this instance for those of other instances. Returns their number. */
  resume(): Promise<number> {
    return this.#inTurn(async () => {
      let count = 0;
      for (const noted of await this.#notes.some(MOST_NOTED))
        if (noted.body.stage !== 'rebuilding') {
          count += 1;
          await this.#goOn(noted);
        } else if (await this.#isRebuilt(noted.body)) await this.#notes.ended(noted);
      return count;
    });
  }

  async #goOn(noted: StoredDocument<Noted>): Promise<void> {
    const { clock, commands, alone } = this.#parts;
    const { id, body } = noted;
    if (body.stage === 'begun') {
      if (!alone && Math.abs(clock.now() - body.at) < ABANDONED_MS) return;
      if (!(await this.#notes.renewed(id))) return;
      await this.#destroy(id, this.#notes.subjectsOf<AnySubject>(noted), commands);
    }
    await this.#startRebuilds(await this.#notes.keysGone(id));
  }

  async #isRebuilt({ at, names }: Noted): Promise<boolean> {
    const { clock, projections, alone } = this.#parts;
    if (!alone && Math.abs(clock.now() - at) < REPORTED_MS) return false;
    const all = await projections.status();
    return !all.some(({ name, state }) => state === 'rebuilding' && names.includes(name));
  }

  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(run, run);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Does everything except the read models. Records each erasure in the log first. */
  async #destroy(id: string, subjects: readonly AnySubject[], commandsAbout: CommandsAbout): Promise<number> {
    const { people, work, clock } = this.#parts;
    const traces: Traces = { values: new Set(), orders: new Set() };
    const ofStaff: string[] = [];
    const traced: Traced[] = [];
    let renewedAt = clock.steady.now();
    const goesOn = async (): Promise<void> => {
      if (clock.steady.now() - renewedAt >= RENEWED_MS && (await this.#notes.renewed(id)))
        renewedAt = clock.steady.now();
    };
    for (const subject of subjects) {
      await goesOn();
      if ('values' in subject) ofStaff.push(...subject.values);
      traced.push(await this.#traced(subject, commandsAbout, traces));
    }
    await this.#notes.traced(id, traced.map(withKnown));
    let files = 0;
    const persons = new Set<string>();
    for (const one of traced) {
      await goesOn();
      files += await this.#deleteFiles(one, traces, goesOn, { erased: false });
      const { subject, commands, data } = one;
      // If a store wrote first, the stream of the phone was sealed under a key that no phone is linked to.
      const unnamed = data === undefined ? [] : await people.unnamed(data.streams);
      for (const id of new Set([...subject.persons, ...unnamed])) {
        await commands.decide(person, id, forgetPerson(id, subject.by));
        persons.add(id);
      }
    }
    await people.forget([...persons], [...traces.values, ...ofStaff]);
    if (traces.values.size > 0) await eraseTasks(work, traces);
    // Deletes files that came in between. From now on, the processor that stores a copy deletes it.
    for (const one of traced) files += await this.#deleteFiles(one, traces, goesOn, { erased: true });
    return files;
  }

  /** Deletes the files of a customer, found in the log, since read models may lag. Returns their number. */
  async #deleteFiles(
    { found, data, commands }: Traced,
    traces: Traces,
    goesOn: () => Promise<void>,
    which: { readonly erased: boolean },
  ): Promise<number> {
    if (found === undefined || data === undefined) return 0;
    let deleted = 0;
    for await (const fileId of data.fileIds(which)) {
      await goesOn();
      if (await this.#deleted(fileId, found, commands, traces)) deleted += 1;
    }
    return deleted;
  }

  async #traced(subject: AnySubject, commandsAbout: CommandsAbout, traces: Traces): Promise<Traced> {
    const { reads, log, work } = this.#parts;
    const nothing = { found: undefined, data: undefined };
    if ('about' in subject) return { subject, commands: commandsAbout(subject.about), ...nothing };
    const { workspaceId } = subject;
    const about = await aboutStore(commandsAbout({ workspaceId }), workspaceId);
    const commands = commandsAbout(about);
    const found = 'value' in subject ? await this.#trace(subject, commands, traces) : undefined;
    const { partnerId } = about;
    return { subject, commands, found, data: found && new PersonData({ reads, log, work, partnerId }, found) };
  }

  /** Finds all data of a customer in the store, and adds their other names to the traces. */
  async #trace(
    { workspaceId, value, known }: Subject,
    commands: BoundCommands,
    { values, orders }: Traces,
  ): Promise<Traced['found']> {
    const { reads } = this.#parts;
    const { phones, userIds } = await namesOf(commands, workspaceId, value);
    for (const one of [value, ...phones, ...userIds, ...(known?.phones ?? [])]) {
      values.add(one);
      if (one.startsWith('+')) values.add(one.slice(1));
    }
    const found = await personOf({ reads, commands }, workspaceId, value, known);
    for (const { id } of found?.conversations ?? []) values.add(id);
    if (found !== undefined) for await (const { id } of ordersOf(reads, found)) orders.add(id);
    return found;
  }

  /** Returns false if it was deleted before, or another customer still has it. */
  async #deleted(
    id: string,
    { workspaceId }: { readonly workspaceId: string },
    commands: BoundCommands,
    traces: Traces,
  ): Promise<boolean> {
    const source = await commands.query(file, id, (state) => fileIn(state, workspaceId)?.source);
    if (source === 'upload' && (await this.#isWithOthers(id, workspaceId, traces))) return false;
    try {
      await commands.decide(file, id, deleteFile(workspaceId));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return false;
      throw error;
    }
    await releaseBytes({ commands, workspaceId }, id);
    return true;
  }

  /** Returns true if another conversation contains the file, and its customer is known and not being erased. */
  async #isWithOthers(fileId: string, workspaceId: string, { values }: Traces): Promise<boolean> {
    const { reads, isForgotten } = this.#parts;
    let scanned = 0;
    const query = { where: { workspaceId, fileId }, sort: ['conversationId'] };
    for await (const { keys } of eachRow(reads, conversationFiles, query)) {
      const conversationId = String(keys.conversationId);
      if (values.has(conversationId)) continue;
      scanned += 1;
      if (scanned > MOST_LOOKED_AT || !(await isForgotten(streamName('conversation', conversationId)))) return true;
    }
    return false;
  }

  /** Starts the rebuilds. A started build continues after any restart. When all have started, the note is removed. */
  async #startRebuilds(noted: StoredDocument<Noted> | undefined): Promise<void> {
    if (noted === undefined) return;
    const { projections } = this.#parts;
    const started = new Set<string>();
    const busy = await this.#busy();
    for (const name of noted.body.names) {
      if (busy.has(name)) continue;
      try {
        await projections.rebuild(name, true);
        started.add(name);
      } catch (error) {
        // The instance that owns it rebuilds it at its next check.
        if (!isElsewhere(error)) throw error;
      }
    }
    if (started.size > 0) await this.#notes.rebuildsStarted(noted, started);
  }

  /**
   * Shared builds in progress are not interrupted, but may have read data of an erased person. They are rebuilt again once they are
   * complete.
   */
  async #busy(): Promise<ReadonlySet<string>> {
    const { projections, alone } = this.#parts;
    const all = alone ? [] : await projections.status();
    return new Set(all.filter(({ state }) => state === 'rebuilding').map(({ name }) => name));
  }
}
