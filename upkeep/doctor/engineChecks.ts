/** The engines by themselves: whether they answer, who they let in, and what they can. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../engine/messageOf.js';
import { LogDamaged, StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { installedBytes } from '../../infrastructure/eventstoredb/appendLimit.js';
import type { EventStoreDbFacts } from '../../infrastructure/eventstoredb/examination.js';
import { isLoopback } from '../../infrastructure/http/loopback.js';
import type { MongoFacts } from '../../infrastructure/mongodb/examination.js';
import { checkHead } from '../../infrastructure/sqlite/eventStore/headCheck.js';
import { logFacts } from '../../infrastructure/sqlite/eventStore/logFile.js';
import { FULL_BATCH_BYTES } from '../../service/engines/appendRoom.js';
import { checkMark } from '../../service/engines/engines.js';
import { hostsOf } from '../../service/settings/engineSettings.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';

/** Longest time for an engine elsewhere, in ms. */
export const ENGINE_MS = 12_000;

/** True if one of the hosts of an engine's URL is another machine. */
const isElsewhere = (url: string): boolean =>
  hostsOf(url)
    .split(',')
    .some((host) => !isLoopback(host.replace(/:\d+$/, '')));

const older = (version: string, least: readonly [number, number]): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < least[0] || (major === least[0] && minor < least[1]);
};

/** The embedded log: that the file is all there, and its newest events are as they were written. */
export const embeddedLogCheck = (folder: string): Check => ({
  name: 'event log',
  async run() {
    if (!existsSync(join(folder, 'events.db'))) return [ok('log_not_begun', 'There is no event yet.')];
    try {
      checkHead(folder);
      checkMark({ embedded: true }, { path: folder });
      const { head } = logFacts(join(folder, 'events.db'));
      return [
        ok(
          'log_right',
          `events.db holds ${(head + 1).toLocaleString('en')} events; the newest are as they were written.`,
        ),
      ];
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      return [
        problem(
          'log_damaged',
          `${error.message}.`,
          "Run 'suuq verify' to list all damage, or 'suuq restore' to restore a backup.",
        ),
      ];
    }
  },
});

/** The administrator gives an ordinary user the right to read $all by one event. */
const ACL =
  "Have the server's administrator append 'update-default-acl' to $settings with this user's group in $systemStreamAcl.$r: docs/operating/eventstoredb.md has it in full.";

const RIGHTS: Readonly<Record<keyof EventStoreDbFacts['refused'], { what: string; code: string; advice: string }>> = {
  readAll: { what: 'read $all, which projections and processors follow', code: 'may_not_read_all', advice: ACL },
  readStream: {
    what: 'read streams',
    code: 'may_not_read',
    advice: "Have $userStreamAcl.$r name the user's group.",
  },
  readMetadata: {
    what: "read streams' metadata",
    code: 'may_not_read_metadata',
    advice: "Have $userStreamAcl.$mr name the user's group.",
  },
  write: { what: 'write', code: 'may_not_write', advice: "Have $userStreamAcl.$w name the user's group." },
};

function rightsOf(name: string, { refused }: EventStoreDbFacts): Found[] {
  const reported = Object.entries(refused).filter((one): one is [keyof typeof RIGHTS, string] => one[1] !== undefined);
  const login = reported.find(([, why]) => /check user and password/.test(why));
  if (login !== undefined)
    return [problem('login_refused', `${name} rejected the user name or password.`, 'Correct them in EVENTSTORE_URL.')];
  return reported.map(([right, why]) => {
    const { what, code, advice } = RIGHTS[right];
    return problem(code, `${name} does not let this user ${what} (${why}).`, advice);
  });
}

/** Finding for an engine that does not answer, or rejects the connection. */
export function unreachable(name: string, setting: string, error: unknown): Found {
  // Whatever is not of the moment: a wrong address, user or right.
  const refused = error instanceof StoreRefused || !(error instanceof StoreUnavailable);
  const message = messageOf(error);
  const code = refused ? 'engine_refused' : 'engine_unreachable';
  const advice = refused
    ? `Correct ${setting}.`
    : `Check that it runs, that it can be reached from here, and that ${setting} is correct.`;
  return problem(code, `${name}: ${message}.`.replace(/([.?!])\.$/, '$1'), advice);
}

/** A limit that every version supports; a full batch of products fits. */
const RECOMMENDED = 16_000_000;

const bytes = (count: number): string => count.toLocaleString('en');

/** `set`: EVENTSTORE_MAX_APPEND_SIZE, when it is. */
function sizesOf(
  name: string,
  set: number | undefined,
  { mostAppend: reported, version }: Pick<EventStoreDbFacts, 'mostAppend' | 'version'>,
): Found[] {
  if (set !== undefined && reported !== undefined && reported < set)
    return [
      problem(
        'append_size_differs',
        `EVENTSTORE_MAX_APPEND_SIZE is ${bytes(set)}, but ${name} accepts ${bytes(reported)} bytes per append.`,
        'Set both to the same value.',
      ),
    ];
  const most = set ?? reported ?? installedBytes(version);
  if (most >= FULL_BATCH_BYTES) return [];
  return [
    warning(
      'batch_does_not_fit',
      `A batch of 500 products with long texts exceeds the limit of ${bytes(most)} bytes per append, and is refused with 413.`,
      `Set MaxAppendSize of the server and EVENTSTORE_MAX_APPEND_SIZE to ${RECOMMENDED}.`,
    ),
  ];
}

const withoutTls = (name: string, change: string): Found =>
  warning('no_tls', `The connection to ${name} is not encrypted (no TLS).`, `Enable TLS on the server and ${change}.`);

export const eventStoreDbCheck = (
  { url, maxAppendSize }: { readonly url: string; readonly maxAppendSize?: number },
  facts: () => Promise<EventStoreDbFacts>,
): Check => ({
  name: 'event log',
  withinMs: ENGINE_MS,
  async run() {
    const name = `EventStoreDB at ${hostsOf(url)}`;
    let known: EventStoreDbFacts;
    try {
      known = await facts();
    } catch (error) {
      return [unreachable(name, 'EVENTSTORE_URL', error)];
    }
    const found = [...rightsOf(name, known), ...sizesOf(name, maxAppendSize, known)];
    const { version, tls, login } = known;
    if (older(version, [23, 10]))
      found.push(problem('eventstoredb_too_old', `${name} is ${version}.`, 'Upgrade to 23.10 or newer.'));
    if (!tls && login)
      found.push(
        warning(
          'login_not_sent',
          `The connection to ${name} is not encrypted (no TLS), so the user in EVENTSTORE_URL is not sent.`,
          'Enable TLS on the server and remove tls=false from the URL, or remove the user.',
        ),
      );
    else if (!tls && isElsewhere(url)) found.push(withoutTls(name, 'remove tls=false from the URL'));
    const facing = tls ? 'over TLS' : 'without TLS';
    const may = 'This user may read $all and streams, read metadata, and write';
    return found.length > 0 ? found : [ok('log_right', `${name} is ${version}, ${facing}. ${may}.`)];
  },
});

export const mongoCheck = (url: string, facts: () => Promise<MongoFacts>): Check => ({
  name: 'documents',
  withinMs: ENGINE_MS,
  async run() {
    const name = `MongoDB at ${hostsOf(url)}`;
    let known: MongoFacts;
    try {
      known = await facts();
    } catch (error) {
      return [unreachable(name, 'MONGODB_URL', error)];
    }
    const { version, replicaSet, members, waitsForMajority, missing, tls } = known;
    const found: Found[] = [];
    if (version !== undefined && older(version, [4, 4]))
      found.push(problem('mongodb_too_old', `${name} is ${version}.`, 'Upgrade to 4.4 or newer.'));
    if (missing.length > 0)
      found.push(
        problem(
          'may_not_use_database',
          `${name} does not allow this user to ${missing.join(', ')}.`,
          "Grant it 'readWrite' on the database.",
        ),
      );
    if (!waitsForMajority)
      found.push(
        problem(
          'weak_write_concern',
          `With MONGODB_URL, writes to ${name} do not wait for the majority and its journal. Acknowledged writes may be lost.`,
          'Remove w and journal from the URL.',
        ),
      );
    if (replicaSet === undefined)
      found.push(
        warning(
          'no_replica_set',
          `${name} is not a replica set: no other server takes over when it fails.`,
          'Use a replica set of three, and set replicaSet=… in MONGODB_URL.',
        ),
      );
    if (!tls && isElsewhere(url)) found.push(withoutTls(name, 'add tls=true to the URL'));
    const set = `replica set ${replicaSet} of ${members}`;
    return found.length > 0
      ? found
      : [
          ok(
            'documents_right',
            `${name} is ${version ?? 'of unknown version'}, ${set}. This user may use the database.`,
          ),
        ];
  },
});
