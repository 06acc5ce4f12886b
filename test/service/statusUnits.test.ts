/** Lag in `suuq projections status` and `suuq processors status`, in the unit of the log's positions. */
import { expect } from 'chai';
import type { Measure } from '../../engine/ports/eventStore.js';
import type { ProcessorAtRest } from '../../engine/processors/processorStops.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import type { AdminReads } from '../../service/admin/context.js';
import { processorsStatus } from '../../service/admin/stoppedReaders.js';
import { projectionsStatus } from '../../service/admin/upkeep.js';
import { upkeepCommands } from '../../service/admin/upkeepCommands.js';

const ORDERS = {
  name: 'orders',
  version: 1,
  position: 1_000,
  head: 4_001_000,
  eventsPerSecond: 0,
  state: 'rebuilding',
  lag: 4_000_000,
} satisfies ProjectionStatus;
const WEBHOOKS = { name: 'webhooks', state: 'running', position: 3_401_000, head: 4_001_000, owed: 3, skipped: 0 };
/** Status reported by the instances that run the processor. */
const RUN = { owner: 'a, b', effectsPerSecond: 3 };

const reads = (measure?: Measure) =>
  ({
    projections: { status: async () => [ORDERS] },
    processors: async () => [WEBHOOKS as unknown as ProcessorAtRest],
    installation: { processors: async () => new Map([['webhooks', RUN]]) },
    eventLog: measure === undefined ? {} : { measure },
  }) as unknown as AdminReads;

const shown = (name: string, status: object): string =>
  JSON.stringify(upkeepCommands.find((command) => command.name === name)!.text(status as never));

describe('the lag in a status', () => {
  it('is in events if positions are', async () => {
    const projections = await projectionsStatus(reads());
    expect(projections.projections[0]).to.deep.equal(ORDERS);
    expect(shown('projections.status', projections)).to.match(/\b4\.0M\b/);
    const processors = await processorsStatus(reads());
    expect(processors.processors[0]).to.deep.equal({ ...WEBHOOKS, ...RUN, lag: 600_000 });
    expect(shown('processors.status', processors))
      .to.match(/\b600\.0k\b/)
      .and.match(/"3","a, b"/);
  });

  it('includes read models whose documents differ from the log', () => {
    const text = shown('projections.status', { projections: [{ ...ORDERS, differing: 3 }] });
    expect(text).to.include('Differ from the log').and.include('orders: 3 documents');
  });

  it('is in bytes if two positions make a byte', async () => {
    const half: Measure = { unit: 'bytes', positions: 2 };
    const projections = await projectionsStatus(reads(half));
    expect(projections.projections[0]).to.deep.equal({ ...ORDERS, lag: 2_000_000, unit: 'bytes' });
    expect(shown('projections.status', projections)).to.match(/\b2\.0MB\b/);
    const processors = await processorsStatus(reads(half));
    expect(processors.processors[0]).to.deep.equal({ ...WEBHOOKS, ...RUN, lag: 300_000, unit: 'bytes' });
    expect(shown('processors.status', processors)).to.match(/\b300\.0kB\b/);
  });
});
