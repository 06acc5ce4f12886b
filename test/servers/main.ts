/**
 * node main.js ready: waits until the servers of EVENTSTORE_URL and MONGODB_URL each have a leader.
 * node main.js eventstore|mongodb: the contract suite on that server's three nodes, the leader killed in the middle.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventStoreLeader, initiateReplicaSet, leaderWithin, mongoPrimary } from './leaders.js';
import { losingTheLeader } from './losingLeaders.js';

const START_MS = 120_000;
const run = promisify(execFile);

function setting(name: 'EVENTSTORE_URL' | 'MONGODB_URL'): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set: the servers that the tests run on`);
  return value;
}

const eventStore = { name: 'eventstore', leader: () => eventStoreLeader(setting('EVENTSTORE_URL')) };
const mongodb = { name: 'mongodb', leader: () => mongoPrimary(setting('MONGODB_URL')) };

/** The suites as their tests are titled; about half of one has passed after so many. */
export const suites = {
  eventstore: {
    cluster: eventStore,
    file: 'dist/test/engines/eventStore.eventstoredb.long.test.js',
    title: 'event store: EventStoreDB at EVENTSTORE_URL',
    after: 15,
  },
  mongodb: {
    cluster: mongodb,
    file: 'dist/test/engines/readModels.mongodb.long.test.js',
    title: 'MongoDB, the server of MONGODB_URL',
    after: 12,
  },
} as const;

async function ready(): Promise<number> {
  await initiateReplicaSet(setting('MONGODB_URL'), START_MS);
  for (const { name, leader } of [eventStore, mongodb])
    process.stdout.write(`${name}: ${await leaderWithin(START_MS, name, leader)} leads\n`);
  return 0;
}

function losing({ cluster, file, title, after }: (typeof suites)[keyof typeof suites]): Promise<number> {
  return losingTheLeader({
    cluster,
    after,
    // One after the other: side by side, mocha prints a file's tests when it has ended.
    command: [process.execPath, 'node_modules/mocha/bin/mocha.js', '--no-parallel', file, '--fgrep', title],
    docker: async (...args) => void (await run('docker', args)),
    log: (text) => void process.stdout.write(text),
  });
}

const [expected = ''] = process.argv.slice(2);
if (expected === 'ready') process.exitCode = await ready();
else if (expected === 'eventstore' || expected === 'mongodb') process.exitCode = await losing(suites[expected]);
else {
  process.stderr.write('node main.js ready|eventstore|mongodb\n');
  process.exitCode = 2;
}
