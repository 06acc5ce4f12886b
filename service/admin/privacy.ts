/** `suuq admin export-person`: what is held of a customer, for them. */
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { internationalAt } from '../../application/phones.js';
import { changedHands, type Person, personOf } from '../../application/privacy/person.js';
import type { EntryKind, PersonEntry } from '../../application/privacy/personData.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { dataExports, exportPerson } from '../../domain/privacy/dataExports.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, type Option, type OptionWords } from './declaration.js';
import { text } from './options.js';
import { personDataOf, storesAsked } from './persons.js';
import { facts, type Shown } from './text.js';

/** Whoever asks waits a minute for an answer; what takes longer is broken off before, in ms. */
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
  readonly phone: string;
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
    `${place} cannot be written (${error.code}) where the service runs: a file must not exist yet, and its folder must.`,
  );
};

/** The stores that hold something of them, of all or of the one that is named. Refuses `not_found`. */
async function personsOf(work: AdminWork, phone: string, workspaceId: string | undefined): Promise<Person[]> {
  const parts = { reads: work.reads, commands: work.commands() };
  const found: Person[] = [];
  for await (const id of storesAsked(work, workspaceId)) {
    const one = await personOf(parts, id, phone);
    if (one !== undefined) found.push(one);
  }
  if (found.length > 0) return found;
  const nothing = workspaceId === undefined ? 'No store holds anything' : 'The store holds nothing';
  return refuse('not_found', `${nothing} of anybody with the number ${phone}.`);
}

/** One export, written as it is read; nothing is given out before it is recorded. */
class Export {
  readonly counts: Partial<Record<EntryKind, number>> = {};
  readonly #work: AdminWork;
  readonly #persons: readonly Person[];
  readonly #withFiles: boolean;
  readonly #end = performance.now() + WITHIN_MS;

  constructor(work: AdminWork, persons: readonly Person[], withFiles: boolean) {
    this.#work = work;
    this.#persons = persons;
    this.#withFiles = withFiles;
  }

  /** Refuses `export_too_long`. */
  async *entries(): AsyncGenerator<PersonEntry> {
    for (const person of this.#persons) await this.#record(person);
    for (const person of this.#persons)
      for await (const entry of (await personDataOf(this.#work, person)).entries()) {
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
        refuse('export_too_large', 'This is more than one answer holds. Have it written to a file: --out FILE.');
      entries.push(entry);
    }
    return entries;
  }

  /** Each under its id, since two may have one name. */
  async writeFiles(folder: string): Promise<FilesWritten> {
    const missing: string[] = [];
    let written = 0;
    const done = new Set<string>();
    for (const person of this.#persons)
      for await (const { id, name } of (await personDataOf(this.#work, person)).files()) {
        this.#inTime();
        if (done.has(id)) continue;
        done.add(id);
        const content = await this.#work.files.openFile(person.workspaceId, id);
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

  async #record({ workspaceId, phone }: Person): Promise<void> {
    const commands = this.#work.commands(await aboutStore(this.#work, workspaceId));
    await commands.decide(dataExports, workspaceId, exportPerson({ phone, withFiles: this.#withFiles }));
  }

  #inTime(): void {
    if (performance.now() > this.#end)
      refuse(
        'export_too_long',
        `It took more than ${WITHIN_MS / 1000} s and was broken off. Ask for one store: --workspace ID; and for files apart.`,
      );
  }
}

const written = ({ phone, stores: of, counts, changedHands: moves, out, entries, files }: Exported): Shown => {
  const gone = files?.missing.length ? `, ${files.missing.length} without bytes any more` : '';
  return [
    facts({
      person: phone,
      stores: of.join(', '),
      ...counts,
      ...defined({ 'written to': out }),
      ...defined({ 'bytes of files': files && `${files.written} in ${files.folder}${gone}` }),
    }),
    ...(moves.length === 0
      ? []
      : [`The number changed hands at ${moves.join(', ')}: what is older may be of who had it before.`]),
    ...(entries === undefined ? [] : ['--out FILE writes all of it, a line of JSON an entry; --json shows it.']),
  ];
};

export const privacyCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'export-person',
    about: 'Gives all that is held of a customer: chats, orders, files, lists, events, deliveries. It is recorded.',
    options: {
      phone: text({ value: 'NUMBER', about: 'With its country code, such as +252611234567.', required: true }),
      workspace: text({ value: 'ID', about: 'Only of this store; of all when absent.' }),
      out: path({ value: 'FILE', about: 'A new file for it, a line of JSON an entry.' }),
      files: path({ value: 'DIR', about: 'A folder for the files themselves.' }),
    },
    /** Refuses `validation_failed`, `not_found`, `file_not_writable`, `export_too_large` and `export_too_long`. */
    async run(work, { phone: typed, workspace, out, files: folder }): Promise<Exported> {
      const phone = await internationalAt('phone', typed);
      const persons = await personsOf(work, phone, workspace?.toLowerCase());
      const one = new Export(work, persons, folder !== undefined);
      let entries: readonly PersonEntry[] | undefined;
      if (out === undefined) entries = await one.whole();
      else await work.localFiles.create(out, Readable.from(one.lines())).catch((error) => notWritable(out, error));
      const files = folder === undefined ? undefined : await one.writeFiles(folder);
      const moves = await Promise.all(persons.map((person) => changedHands(work.eventLog, person)));
      const about = {
        phone,
        stores: persons.map(({ workspaceId }) => workspaceId),
        counts: one.counts,
        changedHands: [...new Set(moves.flat())].sort(),
      };
      return { ...about, ...defined({ out, entries, files }) };
    },
    text: written,
  }),
];
