/**
 * Forgets customers, and who has worked for a store: their files are deleted, it is said in the log, their keys are destroyed, what waits
 * to be sent to them or about them is erased, and the read models are made anew. What is under way is noted first, so that it ends after any interruption.
 */
import { DomainError } from '../../domain/decider.js';
import { deleteFile, file, fileIn } from '../../domain/files/file.js';
import { forgetPerson, type LostKey, person, type RetentionRule } from '../../domain/privacy/people.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import { isElsewhere } from '../../engine/projections/elsewhere.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { conversationFiles } from '../../projections/conversationFiles.js';
import { aboutStore } from '../aboutStore.js';
import { releaseBytes } from '../files/storage.js';
import type { PersonKeys } from '../ports/personKeys.js';
import type { PersonTexts } from '../ports/personTexts.js';
import type { SecretBox } from '../ports/secretBox.js';
import { ForgettingNotes, type Noted } from './forgettingNotes.js';
import { eraseTasks, type Traces } from './owed.js';
import { namesOf, ordersOf, type Person, personOf } from './person.js';
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

/** Somebody to whom nothing but their events leads: their key is lost, or no store knows them. */
export interface EventsSubject {
  /** Ids of the keys. */
  readonly persons: readonly string[];
  /** The store or partner that their events belong to, where there is one. */
  readonly about: { readonly workspaceId?: string; readonly partnerId?: string };
  /** Absent: the operator asked for it. */
  readonly by?: LostKey;
}

type AnySubject = Subject | StaffSubject | EventsSubject;

/** Commands for a store's events, by whoever has it done. */
export type CommandsAbout = (about: { workspaceId?: string; partnerId?: string }) => BoundCommands;

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
  /** Whether a stream is of a customer who was forgotten. */
  readonly isForgotten: PersonTexts['isForgotten'];
  /** Nobody else works on the same data: what is noted and not in hand here was interrupted. */
  readonly alone: boolean;
}

/** As many are under way at once at most, by far: of more the rest waits for the next look. */
const MOST_NOTED = 100;
/** What another instance has begun is gone on with when it has rested for so long, in ms. */
const ABANDONED_MS = 60_000;
/** So often who is at it says so, in ms. */
const RENEWED_MS = ABANDONED_MS / 4;

/** Of other customers a file was sent to: what went to more is the whole store's. */
const MOST_LOOKED_AT = 1_000;

/** What a store holds of a subject. */
interface Traced {
  readonly subject: AnySubject;
  readonly commands: BoundCommands;
  /** Undefined: nothing. */
  readonly found: Person | undefined;
  readonly data: PersonData | undefined;
}

export class Forgetting {
  readonly #parts: ForgettingParts;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #notes: ForgettingNotes;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
    this.#notes = new ForgettingNotes(parts);
  }

  /** Read models that it has made anew. */
  get names(): readonly string[] {
    return this.#parts.names;
  }

  /** The same for those who work for stores. */
  get staffNames(): readonly string[] {
    return this.#parts.staffNames;
  }

  /** The same for lost keys, of whomever they were. */
  get lostNames(): readonly string[] {
    return [...new Set([...this.names, ...this.staffNames])];
  }

  /**
   * Resolves when nobody can read them any more, and the read models of this instance are being made anew. Answers how many files of
   * theirs were deleted. May be repeated. Rejects with StoreUnavailable: then it is gone on with by `resume`.
   */
  forget(subjects: readonly (Subject | EventsSubject)[], commands: CommandsAbout): Promise<number> {
    return this.#forget(subjects, this.#parts.names, commands);
  }

  /** The same of those who have worked for stores: they have no files, and nothing waits to be sent to them. */
  async forgetStaff(subjects: readonly StaffSubject[], commands: CommandsAbout): Promise<void> {
    await this.#forget(subjects, this.#parts.staffNames, commands);
  }

  /** Has events read as erased whose keys are lost, and makes all read models anew that may hold something of them. */
  async eraseLost(subjects: readonly EventsSubject[], commands: CommandsAbout): Promise<void> {
    await this.#forget(subjects, this.lostNames, commands);
  }

  #forget(subjects: readonly AnySubject[], names: readonly string[], commands: CommandsAbout): Promise<number> {
    return this.#inTurn(async () => {
      const id = await this.#notes.begin(subjects, names);
      const files = await this.#destroy(id, subjects, commands);
      await this.#anew(await this.#notes.keysGone(id));
      return files;
    });
  }

  /** Whether somebody is being forgotten, here or on another instance, or was when it was interrupted. */
  async isUnderWay(): Promise<boolean> {
    return (await this.#notes.some(1)).length > 0;
  }

  /**
   * Goes on with what was interrupted, and makes the read models of this instance anew for what others have begun; answers how many that
   * were.
   */
  resume(): Promise<number> {
    return this.#inTurn(async () => {
      const { clock, commands, alone } = this.#parts;
      const found = await this.#notes.some(MOST_NOTED);
      for (const noted of found) {
        const { id, body } = noted;
        if (body.stage === 'begun') {
          if (!alone && Math.abs(clock.now() - body.at) < ABANDONED_MS) continue;
          if (!(await this.#notes.renewed(id))) continue;
          await this.#destroy(id, this.#notes.subjectsOf<AnySubject>(noted), commands);
        }
        await this.#anew(await this.#notes.keysGone(id));
      }
      return found.length;
    });
  }

  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(run, run);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** All but the read models. First said in the log, then done. */
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

  /** Deletes the files of a customer, from the log: read models may be late. Returns their number. */
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

  /** Looks for all that the store holds of a customer, and notes by what else they are known. */
  async #trace(
    { workspaceId, value }: Subject,
    commands: BoundCommands,
    { values, orders }: Traces,
  ): Promise<Traced['found']> {
    const { reads } = this.#parts;
    const { phones, userIds } = await namesOf(commands, workspaceId, value);
    for (const one of [value, ...phones, ...userIds]) {
      values.add(one);
      if (one.startsWith('+')) values.add(one.slice(1));
    }
    const found = await personOf({ reads, commands }, workspaceId, value);
    for (const { id } of found?.conversations ?? []) values.add(id);
    if (found !== undefined) for await (const { id } of ordersOf(reads, found)) orders.add(id);
    return found;
  }

  /** False: it was deleted before, or stays with another customer. */
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

  /** Whether a conversation carries the file of somebody who is known, and is not being forgotten. */
  async #isWithOthers(fileId: string, workspaceId: string, { values }: Traces): Promise<boolean> {
    const { reads, isForgotten } = this.#parts;
    let looked = 0;
    const query = { where: { workspaceId, fileId }, sort: ['conversationId'] };
    for await (const { keys } of eachRow(reads, conversationFiles, query)) {
      const conversationId = String(keys.conversationId);
      if (values.has(conversationId)) continue;
      looked += 1;
      if (looked > MOST_LOOKED_AT || !(await isForgotten(streamName('conversation', conversationId)))) return true;
    }
    return false;
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
        // Its own instance makes it anew when it looks.
        if (!isElsewhere(error)) throw error;
      }
    }
    if (begun.size > 0) await this.#notes.begun(noted, begun);
  }

  /** Shared builds that fill are not broken off, and may have read who was forgotten: they are made once more when they are there. */
  async #busy(): Promise<ReadonlySet<string>> {
    const { projections, alone } = this.#parts;
    const all = alone ? [] : await projections.status();
    return new Set(all.filter(({ state }) => state === 'rebuilding').map(({ name }) => name));
  }
}
