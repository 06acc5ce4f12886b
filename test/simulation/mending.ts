/** End of a run: after the storm, all pending work must complete. */
import type { Clerks } from './workload/clerks.js';
import type { Customers } from './workload/customers.js';
import { type Agenda, OUTSIDE } from './world/agenda.js';
import { BEGINNING } from './world/clocks.js';
import type { Cluster } from './world/cluster.js';
import type { Data } from './world/engines.js';
import { pending } from './world/pendingWork.js';
import type { Storm } from './world/storm.js';

/** Maximum time for all pending work after the storm, in ms. */
const MENDED_MS = 45 * 60_000;
/** Time without new events after which the read models have caught up, in ms. */
const STILL_MS = 8_000;
const LOOK_MS = 1_000;
const ENGINES = ['log', 'views', 'work', 'vault'] as const;
/** Period of rest that is observed, in ms, and maximum calls to one engine in it. A call repeated without end is 1,250. */
const REST_MS = 5_000;
const MOST_CALLS = 1_000;

interface Parts {
  readonly agenda: Agenda;
  readonly cluster: Cluster;
  readonly data: Data;
  readonly clerks: Clerks;
  readonly customers: Customers;
  readonly isOver: () => boolean;
  readonly storm: Pick<Storm, 'calls'>;
}

/** Restarts every instance after the storm and whenever it ends. */
function retainUp({ agenda, cluster, isOver }: Parts): void {
  const read = (): void => {
    if (isOver()) for (const node of cluster.nodes) if (node.process === undefined) cluster.start(node);
    agenda.add(LOOK_MS, OUTSIDE, 'look', read);
  };
  read();
}

/** Resolves when the storm is over and nothing is left to do. Returns the work that was not done in time. */
export async function mended(parts: Parts): Promise<string[]> {
  const { agenda, data, clerks, customers, isOver, storm } = parts;
  retainUp(parts);
  await agenda.until(isOver);
  const end = agenda.now + MENDED_MS;
  const left = (): string[] => [
    ...(clerks.busy() > 0 ? [`${clerks.busy()} clerks`] : []),
    ...(customers.waiting() > 0 ? [`${customers.waiting()} deliveries of the channel`] : []),
    ...pending(data, BEGINNING + agenda.now),
  ];
  let head = data.log.head();
  let since = agenda.now;
  let scanned = agenda.now;
  await agenda.until(() => {
    if (agenda.now - scanned < LOOK_MS) return false;
    scanned = agenda.now;
    if (data.log.head() !== head) since = agenda.now;
    head = data.log.head();
    return agenda.now > end || (agenda.now - since > STILL_MS && left().length === 0);
  });
  const undone = left();
  if (undone.length > 0) return [`not done in ${MENDED_MS} ms: ${undone.slice(0, 5).join('; ')}`];
  return restless(agenda, storm);
}

/** Lists engines that are called more than `most` times during `REST_MS`, although nothing is left to do. */
export async function restless(agenda: Agenda, storm: Pick<Storm, 'calls'>, most = MOST_CALLS): Promise<string[]> {
  const before = ENGINES.map((engine) => storm.calls(engine));
  const from = agenda.now;
  await agenda.until(() => agenda.now - from > REST_MS);
  return ENGINES.flatMap((engine, at) => {
    const calls = storm.calls(engine) - before[at]!;
    return calls > most ? [`${calls} calls to ${engine} in ${REST_MS} ms of rest`] : [];
  });
}

/** Lists the components of running instances that have stopped and need an operator. */
export async function stoppedIn(agenda: Agenda, { nodes }: Cluster): Promise<string[]> {
  const all: string[] = [];
  let requested = 0;
  for (const { process: life, instance } of nodes) {
    if (life === undefined || instance === undefined) continue;
    requested += 1;
    const answered = (found: string[]): void => {
      all.push(...found);
      requested -= 1;
    };
    agenda.as(life, () => void instance.failures().then(answered));
  }
  await agenda.until(() => requested === 0);
  return all;
}
