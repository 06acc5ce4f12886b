/** Whether what knows how far it has read can have read so far. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { placeInLog } from '../../engine/logPlaces.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { workIn } from '../../engine/processors/workPlaces.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import type { Faults } from './faults.js';

type Log = Pick<EventStore, 'head' | 'readStream' | 'exact'>;

/** Compares the checkpoints of read models and processors with the log; answers how many there are. */
export async function checkCheckpoints(
  log: Log,
  { views, work }: { readonly views: DocumentStore | undefined; readonly work: DocumentStore | undefined },
  projections: readonly AnyProjection[],
  faults: Faults,
): Promise<number> {
  let count = 0;
  const check = async (store: DocumentStore, what: string, name: string): Promise<void> => {
    count += 1;
    // The mark first: where both move on meanwhile, it is of an event before.
    const mark = (await store.marks([name])).get(name);
    const position = await store.checkpoint(name);
    // Asked afterwards: meanwhile the log may have gone on.
    const head = await log.head();
    const place = await placeInLog(log, { position, mark });
    if (position > head && log.exact === true)
      faults.add(
        'checkpoints',
        what,
        `it has read up to position ${position}, and the log ends at ${head}: the log is older`,
      );
    else if (!place.holds)
      faults.add(
        'checkpoints',
        what,
        `it has read event ${mark?.id} at position ${mark?.position}, which is not there`,
      );
  };
  if (views !== undefined)
    for (const { name } of projections) await check(views, `projection ${name}`, await views.resolve(name));
  for (const { places } of work === undefined ? [] : workIn(await work.list()))
    for (const { processor, shard, checkpoint } of places) {
      const part = shard === undefined ? '' : `, shard ${shard}`;
      await check(work!, `processor ${processor}${part}`, checkpoint);
    }
  return count;
}

/** The first line of each snapshot says of which stream and revision it is; answers how many there are. */
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
        `it is of revision ${revision} of ${stream}, which the log does not have`,
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
