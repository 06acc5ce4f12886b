/** `suuq admin forget`: a customer's key is destroyed, and all that shows what it opened is made anew. */
import { releaseBytes } from '../../application/files/storage.js';
import { internationalAt } from '../../application/phones.js';
import type { PersonKeys } from '../../application/ports/personKeys.js';
import { personOf } from '../../application/privacy/person.js';
import { DomainError, refuse } from '../../domain/decider.js';
import { deleteFile, file } from '../../domain/files/file.js';
import { forgetPerson, person } from '../../domain/privacy/people.js';
import { projections } from '../../projections/index.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, type Execute, type Terminal } from './declaration.js';
import { text } from './options.js';
import { personDataOf, storesAsked } from './persons.js';
import { followRebuild } from './rebuild.js';
import { facts } from './text.js';

/** What a store knows of somebody whom it is to forget. */
interface Known {
  readonly workspaceId: string;
  readonly persons: readonly string[];
}

interface Forgotten {
  /** Random ids, as they stand in the log. */
  readonly persons: readonly string[];
  /** Workspace ids of the stores that knew them. */
  readonly stores: readonly string[];
  /** Files of theirs that were deleted. */
  readonly files: number;
  /** Read models that are built anew. */
  readonly names: readonly string[];
}

/** Refuses `not_found`. */
async function knownBy(work: AdminWork, people: PersonKeys, phone: string, workspaceId?: string): Promise<Known[]> {
  const known: Known[] = [];
  for await (const id of storesAsked(work, workspaceId)) {
    const persons = await people.everyone(id, phone);
    if (persons.length > 0) known.push({ workspaceId: id, persons });
  }
  if (known.length > 0) return known;
  return refuse(
    'not_found',
    `Nobody is known by ${phone}. Who was forgotten is not found any more; what was stored without keys, before there were any or under SUUQ_SEAL=off, cannot be forgotten.`,
  );
}

/** Deletes the files that they sent or were sent. Answers how many, and by what else they are known. */
async function filesOf(work: AdminWork, { workspaceId }: Known, phone: string) {
  const found = await personOf({ reads: work.reads, commands: work.commands() }, workspaceId, phone);
  if (found === undefined) return { files: 0, values: [] };
  const data = await personDataOf(work, found);
  const commands = work.commands(await aboutStore(work, workspaceId));
  let files = 0;
  for await (const { id } of data.files()) {
    try {
      await commands.decide(file, id, deleteFile(workspaceId));
      await releaseBytes({ commands, workspaceId }, id);
      files += 1;
    } catch (error) {
      // Deleted meanwhile, or before.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return { files, values: found.conversations.map(({ id }) => id) };
}

async function forget(work: AdminWork, typed: string, workspaceId: string | undefined): Promise<Forgotten> {
  const { people } = work;
  if (people === undefined) return refuse('not_found', 'Nothing is sealed here: nobody can be forgotten.');
  const phone = await internationalAt('phone', typed);
  const known = await knownBy(work, people, phone, workspaceId?.toLowerCase());
  const values = [phone, phone.slice(1)];
  let files = 0;
  for (const one of known) {
    const theirs = await filesOf(work, one, phone);
    files += theirs.files;
    values.push(...theirs.values);
    // First said, then done: whoever is interrupted between finds them again, and says it no second time.
    const commands = work.commands(await aboutStore(work, one.workspaceId));
    for (const id of one.persons) await commands.decide(person, id, forgetPerson(id));
  }
  const persons = known.flatMap((one) => one.persons);
  await people.forget(persons, values);
  const names = projections
    .filter(({ categories }) => categories.some((category) => people.categories.includes(category)))
    .map(({ name }) => name);
  for (const name of names) await work.projections.rebuild(name, true);
  return { persons, stores: known.map((one) => one.workspaceId), files, names };
}

async function follow(begun: object, execute: Execute, terminal: Terminal): Promise<Forgotten> {
  const forgotten = begun as Forgotten;
  await followRebuild(forgotten, execute, terminal);
  return forgotten;
}

export const forgettingCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'forget',
    about: 'Destroys the key of a customer: what was sealed under it is read by nobody any more, in no copy. For ever.',
    options: {
      phone: text({ value: 'NUMBER', about: 'With its country code, such as +252611234567.', required: true }),
      workspace: text({ value: 'ID', about: 'Only in this store; in all when absent.' }),
    },
    /** Refuses `validation_failed`, `not_found`. */
    run: (work, { phone, workspace }): Promise<Forgotten> => forget(work, phone, workspace),
    follow: follow as never,
    text: ({ persons, stores: of, files, names }: Forgotten) =>
      facts({
        forgotten: persons.length === 1 ? '1 person' : `${persons.length} persons`,
        stores: of.join(', '),
        'files deleted': files,
        'read models made anew': names.length,
      }),
  }),
];
