/** The last requests of each key, as the running service records them. */
import { setTimeout as pause } from 'node:timers/promises';
import { requesterNames } from '../../application/console/actorNames.js';
import {
  type LoggedRequest,
  numberAt,
  placeOf,
  type RequestLog,
  type RequestQuestion,
  statusIn,
} from '../../application/console/requestLog.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { Reads } from '../../engine/projections/reads.js';
import { type AdminCommand, adminQuery, type Execute, type Option, type Terminal } from './declaration.js';
import { text } from './options.js';
import { table } from './text.js';

const MOST = 1_000;
/** Number of earlier requests to print before following. */
const MOST_BEFORE = 20;
/** Between two looks while they are followed, in ms. */
const EVERY_MS = 500;

type Row = Omit<LoggedRequest, 'at'> & {
  readonly at: string;
  /** Owner of the key and its last four characters; the member, if a session sent the request. */
  readonly by: string;
};

interface Listed {
  /** Newest first. */
  readonly requests: readonly Row[];
  /** From where `after` goes on. */
  readonly place: string;
  readonly more: boolean;
  /** Input to continue with when following. */
  readonly following?: object;
}

const status: Option<number | undefined> = {
  value: 'S',
  about: 'Only this status, such as 404, or this class, such as 4xx.',
  check(fields, name) {
    const typed = fields.optionalText(name);
    const found = typed === undefined ? undefined : statusIn(typed);
    if (typed !== undefined && found === undefined)
      fields.problem(name, 'must be a status such as 404, or a class such as 4xx', typed);
    return found;
  },
};

/** A switch. */
const follow: Option<boolean> = {
  about: 'Print new requests as they arrive, one per line, until interrupted.',
  send: (typed) => typed !== undefined,
  check: (fields, name) => fields.value(name) === true,
};

/** As they are listed. */
async function rowsOf(reads: Reads, requests: readonly LoggedRequest[]): Promise<readonly Row[]> {
  const nameOf = await requesterNames(reads, requests);
  return requests.map((request) => {
    const { at, ms, ...row } = request;
    const { key, member } = nameOf(request);
    const by = member === undefined ? key : `${key}, ${member}`;
    return { ...row, at: new Date(at).toISOString(), ms: Math.round(ms * 1000) / 1000, by };
  });
}

/** Requests behind the place, or the newest; all requests if the place is of another process. */
async function found(
  reads: Reads,
  log: RequestLog,
  question: RequestQuestion,
  after: string | undefined,
  limit: number,
): Promise<Omit<Listed, 'following'>> {
  const { requests, next } =
    after === undefined
      ? log.find(question, { limit })
      : { requests: log.since(question, numberAt(log, after), MOST).toReversed(), next: undefined };
  const newest = requests[0]?.number ?? (after === undefined ? 0 : numberAt(log, after));
  return { requests: await rowsOf(reads, requests), place: placeOf(log, newest), more: next !== undefined };
}

const cells = ({ at, status: answered, operation, code, ms, by, keyId, events, requestId }: Row) =>
  [at, answered, operation, code ?? '-', `${ms.toFixed(1)} ms`, by, keyId, events, requestId] as const;

async function followed(first: Listed, execute: Execute, terminal: Terminal): Promise<Listed> {
  if (first.following === undefined) return first;
  for (let listed = first; ; ) {
    for (const row of listed.requests.toReversed())
      terminal.out(`${terminal.json ? JSON.stringify(row) : cells(row).join('  ')}\n`);
    await pause(EVERY_MS);
    listed = (await execute('requests.list', { ...first.following, after: listed.place })) as Listed;
  }
}

const list = adminQuery({
  name: 'requests.list',
  words: ['logs'],
  about: 'List the latest requests of each key, newest first.',
  list: 'requests',
  options: {
    key: text({ value: 'KEYID', about: 'Only requests with this key.' }),
    workspace: text({ value: 'ID', about: 'Only requests to this store or with one of its keys.' }),
    operation: text({ value: 'NAME', about: 'Only requests to this operation, such as listOrders.' }),
    status,
    after: text({ value: 'PLACE', about: 'Start of the next page, as printed.' }),
    follow,
  },
  /** Refuses `not_running` where no service runs. */
  async run({ requestLog, reads }, { key: keyId, follow: isFollowed, after, ...filters }): Promise<Listed> {
    const log = requestLog ?? refuse('not_running', 'No service runs on this data folder. Start it and try again.');
    const { workspace: workspaceId, operation, status: answered } = filters;
    const question = defined({ keyId, workspaceId, operation, status: answered });
    const again = defined({ key: keyId, workspace: workspaceId, operation, status: asStatus(answered) });
    return {
      ...(await found(reads, log, question, after, isFollowed ? MOST_BEFORE : MOST)),
      ...(isFollowed && { following: again }),
    };
  },
  text: ({ requests }) =>
    table(
      ['AT', 'STATUS', 'OPERATION', 'CODE', 'TOOK', 'BY', 'KEY', 'EVENTS', 'REQUEST'],
      requests.map((row) => [...cells(row)]),
      'No requests yet.',
    ),
  follow: followed as never,
});

const asStatus = (status: number | undefined): string | undefined =>
  status === undefined ? undefined : status < 10 ? `${status}xx` : String(status);

export const requestCommands: readonly AdminCommand[] = [list];
