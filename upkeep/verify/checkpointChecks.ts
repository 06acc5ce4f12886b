/** Checks that checkpoints and snapshots do not refer to positions beyond the log. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { placeInLog } from '../../engine/logPlaces.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventMark, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import { workIn } from '../../engine/processors/tasks/workPlaces.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { shardCheckpoint } from '../../engine/projections/sharded/names.js';
import { SHARDS } from '../../engine/shards.js';
import type { Faults } from './faults.js';

type Log = Pick<EventStore, 'head' | 'readStream' | 'exact'>;

/** Checkpoint of the whole read model, and those of its existing shards. */
async function checkpointsOf(
  views: DocumentStore,
  { name, partitionedBy }: AnyProjection,
): Promise<[string, string][]> {
  const physical = await views.resolve(name);
  const whole: [string, string] = [physical, `projection ${name}`];
  if (partitionedBy === undefined) return [whole];
  const names = Array.from({ length: SHARDS }, (_, shard) => shardCheckpoint(physical, shard));
  const positions = await views.checkpoints(names);
  const current = names.filter((one) => positions.get(one) !== BEFORE_ALL);
  return [whole, ...current.map((one): [string, string] => [one, `projection ${name}, ${one}`])];
}

/** Compares the checkpoints of read models and processors with the log; answers how many there are. */
export async function checkCheckpoints(
  log: Log,
  { views, work }: { readonly views: DocumentStore | undefined; readonly work: DocumentStore | undefined },
  projections: readonly AnyProjection[],
  faults: Faults,
): Promise<number> {
  // Many refer to the same event, such as the shards of a processor.
  const current = new Map<string, boolean>();
  async function holds(position: Position, mark: EventMark | undefined): Promise<boolean> {
    const key = `${mark?.id} ${mark?.position} ${mark === undefined ? position : ''}`;
    const known = current.get(key) ?? (await placeInLog(log, { position, mark })).isValid;
    current.set(key, known);
    return known;
  }

  /** `named`: what bears each checkpoint. All are read in a few calls. */
  async function check(store: DocumentStore, named: ReadonlyMap<string, string>): Promise<void> {
    const names = [...named.keys()];
    // The marks first: where both move on meanwhile, they are of events before.
    const marks = await store.marks(names);
    const positions = await store.checkpoints(names);
    // Read afterwards: the log may have grown meanwhile.
    const head = await log.head();
    for (const [name, what] of named) {
      const mark = marks.get(name);
      const position = positions.get(name) ?? BEFORE_ALL;
      if (position > head && log.exact === true)
        faults.add(
          'checkpoints',
          what,
          `it has read up to position ${position}, but the log ends at ${head}: the log is an older copy`,
        );
      else if (!(await holds(position, mark)))
        faults.add(
          'checkpoints',
          what,
          `it has read event ${mark?.id} at position ${mark?.position}, but the log does not have it`,
        );
    }
  }

  const read = new Map<string, string>();
  if (views !== undefined) {
    for (const projection of projections)
      for (const [checkpoint, what] of await checkpointsOf(views, projection)) read.set(checkpoint, what);
    await check(views, read);
  }
  const done = new Map<string, string>();
  for (const { places } of work === undefined ? [] : workIn(await work.list()))
    for (const { processor, shard, checkpoint } of places)
      done.set(checkpoint, `processor ${processor}${shard === undefined ? '' : `, shard ${shard}`}`);
  if (work !== undefined) await check(work, done);
  return read.size + done.size;
}

/** The first line of each snapshot names its stream and revision; returns the number of snapshots. */
export async function checkSnapshots(log: Log, home: string, faults: Faults): Promise<number> {
  const folder = join(home, 'snapshots');
  const names = await readdir(folder).catch(() => []);
  let count = 0;
  for (const name of names.filter((one) => one.endsWith('.jsonl'))) {
    const header = await headerOf(join(folder, name));
    // Replaced just now, or half of one: the service does not load it either.
    if (header === undefined) continue;
    count += 1;
    const { stream, revision } = header;
    const [event] = await log.readStream(stream, { from: revision, limit: 1 });
    if (event === undefined)
      faults.add(
        'snapshots',
        `snapshots/${name}`,
        `it is at revision ${revision} of ${stream}, which is not in the log`,
      );
  }
  return count;
}

async function headerOf(path: string): Promise<{ stream: string; revision: number } | undefined> {
  const input = createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input })) {
      const { stream, revision } = JSON.parse(line) as { stream?: unknown; revision?: unknown };
      return typeof stream === 'string' && Number.isInteger(revision)
        ? { stream, revision: revision as number }
        : undefined;
    }
  } catch {
    return undefined;
  } finally {
    input.destroy();
  }
  return undefined;
}
