/** `suuq admin export-person`: exports all data of a customer, or of one of a store's people, for them. */
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { searchedAt } from '../../application/phones.js';
import { changedHands, type Person, personOf } from '../../application/privacy/person.js';
import type { EntryKind, PersonEntry } from '../../application/privacy/personData.js';
import type { Staff } from '../../application/privacy/staff.js';
import { staffEntries } from '../../application/privacy/staffData.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { dataExports, exportMember, exportPerson } from '../../domain/privacy/dataExports.js';
import { type AdminWork, aboutStore } from './context.js';
import { personDataOf, searchedStores } from './dataSubjects.js';
import { type AdminCommand, adminCommand, type Option, type OptionWords } from './declaration.js';
import { text } from './options.js';
import { findStaff } from './staffErasure.js';
import { facts, type Shown } from './text.js';

/** Time limit in ms, below the minute that a caller waits. */
const WITHIN_MS = 50_000;
/** Without a file all of it is one answer. */
const MOST_CHARS = 8 * 1024 * 1024;
/** An ending that a file's name may bring into the file system. */
const PLAIN_ENDING = /^\.[a-z0-9]{1,8}$/i;

interface FilesWritten {
  readonly folder: string;
  readonly written: number;
  /** Ids of those whose bytes are gone. */
  readonly missing: readonly string[];
}

interface Exported {
  /** Phone of a customer. */
  readonly phone?: string;
  /** Id of a member. */
  readonly member?: string;
  /** Workspace ids of the stores that hold something. */
  readonly stores: readonly string[];
  readonly counts: Readonly<Partial<Record<EntryKind, number>>>;
  /** When the number became another customer's, RFC 3339. */
  readonly changedHands: readonly string[];
  readonly out?: string;
  /** Without `out`. */
  readonly entries?: readonly PersonEntry[];
  readonly files?: FilesWritten;
}

/** A path of the machine that the service runs on. */
const path = (words: OptionWords): Option<string | undefined> => ({
  ...words,
  from: 'file',
  send: (typed) => (typed === undefined ? undefined : resolve(typed)),
  check: (fields, name) => fields.optionalText(name),
});

const notWritable = (place: string, error: NodeJS.ErrnoException): never => {
  if (typeof error.errno !== 'number') throw error;
  return refuse(
    'file_not_writable',
    `${place} cannot be written (${error.code}) on the machine of the service. The file must not exist yet, but its folder must.`,
  );
};

/** The stores that hold something of them, of all or of the one that is named. Refuses `not_found`. */
async function personsOf(work: AdminWork, phone: string, workspaceId: string | undefined): Promise<Person[]> {
  const parts = { reads: work.reads, commands: work.commands() };
  const found: Person[] = [];
  for await (const id of searchedStores(work, workspaceId)) {
    const one = await personOf(parts, id, phone);
    if (one !== undefined) found.push(one);
  }
  if (found.length > 0) return found;
  const nothing = workspaceId === undefined ? 'No store has data' : 'The store has no data';
  return refuse('not_found', `${nothing} of a data subject with the number ${phone}.`);
}

/** Data in one store. */
interface Source {
  readonly workspaceId: string;
  /** In the store's log, before anything is given out. */
  record(withFiles: boolean): Promise<unknown>;
  entries(): AsyncGenerator<PersonEntry>;
  files(): AsyncGenerator<{ readonly id: string; readonly name: string }>;
}

async function customersSource(work: AdminWork, person: Person): Promise<Source> {
  const { workspaceId, phone } = person;
  const commands = work.commands(await aboutStore(work, workspaceId));
  const data = await personDataOf(work, person);
  return {
    workspaceId,
    record: (withFiles) => commands.decide(dataExports, workspaceId, exportPerson({ phone, withFiles })),
    entries: () => data.entries(),
    files: () => data.files(),
  };
}

async function membersSource(work: AdminWork, staff: Staff, memberId: string): Promise<Source> {
  const { workspaceId } = staff;
  const commands = work.commands(await aboutStore(work, workspaceId));
  return {
    workspaceId,
    record: () => commands.decide(dataExports, workspaceId, exportMember(memberId)),
    entries: () => staffEntries({ reads: work.reads, log: work.eventLog }, staff),
    async *files() {},
  };
}

/** One export, written as it is read; nothing is given out before it is recorded. */
class Export {
  readonly counts: Partial<Record<EntryKind, number>> = {};
  readonly #work: AdminWork;
  readonly #sources: readonly Source[];
  readonly #withFiles: boolean;
  readonly #end = performance.now() + WITHIN_MS;

  constructor(work: AdminWork, sources: readonly Source[], withFiles: boolean) {
    this.#work = work;
    this.#sources = sources;
    this.#withFiles = withFiles;
  }

  /** Refuses `export_too_long`. */
  async *entries(): AsyncGenerator<PersonEntry> {
    for (const source of this.#sources) await source.record(this.#withFiles);
    for (const source of this.#sources)
      for await (const entry of source.entries()) {
        this.#inTime();
        this.counts[entry.kind] = (this.counts[entry.kind] ?? 0) + 1;
        yield entry;
      }
  }

  async *lines(): AsyncGenerator<string> {
    for await (const entry of this.entries()) yield `${JSON.stringify(entry)}\n`;
  }

  /** Refuses `export_too_large`. */
  async whole(): Promise<PersonEntry[]> {
    const entries: PersonEntry[] = [];
    let chars = 0;
    for await (const entry of this.entries()) {
      chars += JSON.stringify(entry).length;
      if (chars > MOST_CHARS)
        refuse('export_too_large', 'The export is too large for one response. Write it to a file: --out FILE.');
      entries.push(entry);
    }
    return entries;
  }

  /** Each under its id, since two may have one name. */
  async writeFiles(folder: string): Promise<FilesWritten> {
    const missing: string[] = [];
    let written = 0;
    const done = new Set<string>();
    for (const { workspaceId, files } of this.#sources)
      for await (const { id, name } of files()) {
        this.#inTime();
        if (done.has(id)) continue;
        done.add(id);
        const content = await this.#work.files.openFile(workspaceId, id);
        if (content === undefined) missing.push(id);
        else {
          const ending = extname(name);
          const place = join(folder, `${id}${PLAIN_ENDING.test(ending) ? ending : ''}`);
          await this.#work.localFiles
            .create(place, content)
            .catch((error) => notWritable(place, error))
            .finally(() => content.destroy());
          written += 1;
        }
      }
    return { folder, written, missing };
  }

  #inTime(): void {
    if (performance.now() > this.#end)
      refuse(
        'export_too_long',
        `The export exceeded ${WITHIN_MS / 1000} s and was cancelled. Export one store (--workspace ID), and files separately.`,
      );
  }
}

const written = ({ phone, member, stores: of, counts, changedHands: moves, out, entries, files }: Exported): Shown => {
  const gone = files?.missing.length ? `, ${files.missing.length} no longer available` : '';
  return [
    facts({
      person: phone ?? member ?? '',
      stores: of.join(', '),
      ...counts,
      ...defined({ 'written to': out }),
      ...defined({ 'bytes of files': files && `${files.written} in ${files.folder}${gone}` }),
    }),
    ...(moves.length === 0
      ? []
      : [`The number changed hands at ${moves.join(', ')}. Older data may belong to its previous owner.`]),
    ...(entries === undefined
      ? []
      : ['Write the data to a file with --out FILE (one JSON line per entry), or print it with --json.']),
  ];
};

export const privacyCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'export-person',
    about: 'Export all data of a customer or member. The export is recorded.',
    options: {
      phone: text({ value: 'NUMBER', about: "The customer's number with country code, such as +252611234567." }),
      member: text({ value: 'MEMBER', about: 'Id of a member of the store --workspace.' }),
      workspace: text({ value: 'ID', about: 'Only data of this store. Default: all stores.' }),
      out: path({ value: 'FILE', about: 'New file for the export, one JSON line per entry.' }),
      files: path({ value: 'DIR', about: "Folder for copies of the customer's files." }),
    },
    either: { of: ['phone', 'member'], required: true },
    check({ member, workspace, files }, fields) {
      if (member !== undefined && workspace === undefined) fields.problem('workspace', 'is required with member');
      if (member !== undefined && files !== undefined) fields.problem('files', 'is only for customers');
    },
    /** Refuses `validation_failed`, `not_found`, `file_not_writable`, `export_too_large` and `export_too_long`. */
    async run(work, { phone: typed, member, workspace, out, files: folder }): Promise<Exported> {
      const workspaceId = workspace?.toLowerCase();
      const memberId = member?.toLowerCase();
      const phone = typed === undefined ? undefined : await searchedAt('phone', typed, async () => true);
      const persons = phone === undefined ? [] : await personsOf(work, phone, workspaceId);
      const staff = memberId === undefined ? [] : await findStaff(work, { workspaceId, by: { memberId } });
      const sources = await Promise.all([
        ...persons.map((person) => customersSource(work, person)),
        ...staff.map((person) => membersSource(work, person, memberId!)),
      ]);
      const one = new Export(work, sources, folder !== undefined);
      let entries: readonly PersonEntry[] | undefined;
      if (out === undefined) entries = await one.whole();
      else await work.localFiles.create(out, Readable.from(one.lines())).catch((error) => notWritable(out, error));
      const files = folder === undefined ? undefined : await one.writeFiles(folder);
      const moves = await Promise.all(persons.map((person) => changedHands(work.eventLog, person)));
      const about = {
        ...defined({ phone, member: memberId }),
        stores: sources.map((source) => source.workspaceId),
        counts: one.counts,
        changedHands: [...new Set(moves.flat())].sort(),
      };
      return { ...about, ...defined({ out, entries, files }) };
    },
    text: written,
  }),
];
