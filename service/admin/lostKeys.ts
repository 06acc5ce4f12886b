/** `suuq admin lost-keys`: events that nobody can read, since the vault lacks a key that was never destroyed. */
import type { EventsSubject } from '../../application/privacy/forgetting.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import type { LostEvent } from '../../engine/sealing/lostKeys.js';
import type { AdminReads, AdminWork } from './context.js';
import {
  type AdminCommand,
  adminCommand,
  adminQuery,
  type Execute,
  type Option,
  type Terminal,
} from './declaration.js';
import { flag, reason, text } from './options.js';
import { followRebuild } from './rebuild.js';
import { facts, type Shown, table } from './text.js';

/** Time to read the log, in ms: below a caller's minute. The result names the position reached. */
const WITHIN_MS = 40_000;
/** Most events of one answer. */
const MOST = 1_000;

interface Scan {
  readonly events: readonly LostEvent[];
  /** Everything up to here was read. */
  readonly through: Position;
  readonly end: boolean;
}

/** Reads the log until an event for which `isRequested` is true, or until the time limit. */
async function scanned(
  { people }: Pick<AdminReads, 'people'>,
  after: Position,
  isRequested: (event: LostEvent) => boolean = () => false,
): Promise<Scan> {
  if (people === undefined)
    return refuse('not_found', 'Personal data is not sealed in this installation, so no key can be lost.');
  const until = performance.now() + WITHIN_MS;
  const events: LostEvent[] = [];
  for (let through = after; ; ) {
    const page = await people.lost(through);
    events.push(...page.events);
    through = page.through;
    const isFull = events.length >= MOST || events.some(isRequested) || performance.now() > until;
    if (page.end || isFull) return { events, through, end: page.end };
  }
}

interface Listed {
  readonly events: readonly {
    readonly event: string;
    readonly type: string;
    readonly stream: string;
    readonly revision: number;
    readonly position: Position;
    readonly workspaceId?: string;
    /** Ids of the keys, as in the log. */
    readonly persons: readonly string[];
  }[];
  readonly through: Position;
  /** False: the log goes on after `through`. */
  readonly end: boolean;
}

const shown = ({ id, type, stream, revision, position, meta, persons }: LostEvent): Listed['events'][number] => ({
  ...{ event: id, type, stream, revision, position, persons },
  ...defined({ workspaceId: meta.workspaceId }),
});

const more = ({ through, end }: Pick<Scan, 'through' | 'end'>): Shown =>
  end ? [] : `The log was read up to position ${through}. Continue with --after ${through}.`;

const after: Option<Position> = {
  value: 'POSITION',
  about: 'Log position to start after.',
  send: (typed) => (typed !== undefined && /^\d{1,15}$/.test(typed) ? Number(typed) : typed),
  check(fields, name) {
    const value = fields.value(name) ?? BEFORE_ALL;
    if (Number.isSafeInteger(value) && Number(value) >= BEFORE_ALL) return Number(value);
    fields.problem(name, 'must be a whole number', value);
    return BEFORE_ALL;
  },
};

/** One subject for all lost keys of the same store. */
function subjectsOf(events: readonly LostEvent[], lostKey: string): EventsSubject[] {
  const subjects = new Map<string, { about: EventsSubject['about']; persons: Set<string> }>();
  const seen = new Set<string>();
  for (const { meta, persons } of events) {
    const about = defined({ workspaceId: meta.workspaceId, partnerId: meta.partnerId });
    const key = JSON.stringify(about);
    const subject = subjects.get(key) ?? { about, persons: new Set() };
    for (const person of persons) if (!seen.has(person)) subject.persons.add(person);
    for (const person of persons) seen.add(person);
    subjects.set(key, subject);
  }
  return [...subjects.values()]
    .filter(({ persons }) => persons.size > 0)
    .map(({ about, persons }) => ({ about, persons: [...persons], by: { lostKey } }));
}

interface Erased extends Pick<Scan, 'through' | 'end'> {
  /** How many events were found that lack one of the keys. */
  readonly events: number;
  readonly persons: readonly string[];
  /** Read models that are rebuilt. */
  readonly names: readonly string[];
}

async function erase(
  work: AdminWork,
  { event, why, from }: { readonly event: string | undefined; readonly why: string; readonly from: Position },
): Promise<Erased> {
  const { forgetting } = work;
  const scan = await scanned(work, from, ({ id }) => id === event);
  const { through, end } = scan;
  const chosen = event === undefined ? scan.events : scan.events.filter(({ id }) => id === event);
  if (forgetting === undefined || chosen.length === 0)
    return refuse(
      'not_found',
      `${event === undefined ? 'No event has a lost key' : `The event ${event} has no lost key`}${end ? '' : ` up to position ${through}: continue with --after ${through}`}. Run 'suuq admin lost-keys list' to list the events.`,
    );
  const subjects = subjectsOf(chosen, why);
  await forgetting.eraseLost(subjects, work.commands);
  const persons = subjects.flatMap((one) => one.persons);
  return { events: chosen.length, persons, names: forgetting.lostNames, through, end };
}

async function follow(started: object, execute: Execute, terminal: Terminal): Promise<Erased> {
  const erased = started as Erased;
  await followRebuild(erased, execute, terminal);
  return erased;
}

export const lostKeyCommands: readonly AdminCommand[] = [
  adminQuery({
    name: 'lost-keys.list',
    about: 'List events whose key is missing in the vault.',
    options: { after },
    list: 'events',
    async run(work: AdminReads, { after: from }): Promise<Listed> {
      const { events, through, end } = await scanned(work, from);
      return { events: events.map(shown), through, end };
    },
    text: ({ events, ...scan }: Listed) => [
      table(
        ['EVENT', 'TYPE', 'STREAM', 'POSITION', 'KEYS'],
        events.map(({ event, type, stream, position, persons }) => [event, type, stream, position, persons.length]),
        'No lost keys: the keys of all events that were read are in the vault.',
      ),
      more(scan),
    ],
  }),
  adminCommand({
    name: 'lost-keys.erase',
    about: 'Mark events with lost keys as erased. First try the right vault.',
    options: {
      event: text({ value: 'ID', about: 'This event, and all events sealed under the same keys.' }),
      all: flag('All events whose key is missing.'),
      reason: reason('Reason for the loss of the keys. Stored in the log.'),
      after,
    },
    either: { of: ['event', 'all'], required: true },
    /** Refuses `validation_failed`, `not_found`. */
    run: (work, { event, reason: why, after: from }): Promise<Erased> =>
      erase(work, { event: event?.toLowerCase(), why, from }),
    follow: follow as never,
    text: ({ events, persons, names, ...scan }: Erased) => [
      facts({
        'events found': events,
        'keys marked as destroyed': persons.length,
        'read models rebuilt': names.length,
      }),
      more(scan),
    ],
  }),
];
