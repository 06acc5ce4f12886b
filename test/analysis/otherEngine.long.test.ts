/** Queries, exports and streams of a log in EventStoreDB, which the protocol endpoint emulates. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lastValueFrom, take, toArray } from 'rxjs';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { startEventStoreEndpoint } from '../../infrastructure/eventstoreEndpoint/endpoint.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { exportInstallation, queryInstallation } from '../../upkeep/analysis/installationRuns.js';
import { openStreams } from '../../upkeep/streams/index.js';
import { recorded } from '../support/spec/givenEvents.js';
import { LAMPS, placed, writeShops } from '../support/stages/shopHistory.js';

const never = new AbortController().signal;
const run = { report: () => undefined, signal: never };

describe('analysts on EventStoreDB', () => {
  const folder = temporaryFolder('suuq-analysts-');
  const [log, data, out] = ['log', 'data', 'out'].map((name) => join(folder.path, name)) as [string, string, string];
  let store: EmbeddedEventStore;
  let endpoint: Awaited<ReturnType<typeof startEventStoreEndpoint>>;
  let env: Readonly<Record<string, string>>;
  before(async () => {
    mkdirSync(log);
    await writeShops(log);
    store = await openEmbeddedEventStore(log);
    endpoint = await startEventStoreEndpoint({
      store,
      folder: log,
      host: '127.0.0.1',
      port: 0,
      writes: true,
      log: () => {},
    });
    env = {
      SUUQ_DATA: data,
      EVENTSTORE_URL: `esdb://${endpoint.address}?tls=false`,
      SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
  });
  after(async () => {
    await endpoint.close();
    await store.close();
    folder.remove();
  });

  async function request(sql: string, from?: string) {
    const rows: (readonly unknown[])[] = [];
    const take = async (_: unknown, page: readonly (readonly unknown[])[]) => rows.push(...page) >= 0;
    const { events } = await queryInstallation(env, { sql, seconds: 20, memoryMb: 256 }, from, take, run);
    return { rows, events };
  }

  it('query it in SQL, and read only named streams', async () => {
    const months = `select strftime(time, '%Y-%m'), sum(totals.totalCents)::bigint from events_order_placed where workspace_id != '' group by all order by all`;
    expect(await request(months)).to.deep.equal({
      rows: [
        ['2026-01', 3700],
        ['2026-02', 4000],
      ],
      events: 4,
    });
  });

  it('export it, and add later events', async () => {
    const requested = { folder: out, format: 'parquet', choice: {}, memoryMb: 256 } as const;
    expect(await exportInstallation(env, requested, run)).to.include({ added: 7 });
    expect(await exportInstallation(env, requested, run)).to.include({ added: 0 });
    const [late] = recorded(['order'], [placed({ store: LAMPS, at: '2026-04-01T09:00:00.000Z', cents: 100 }, 9)], {});
    await store.append(late!.stream, 'noStream', [late!]);
    expect(await exportInstallation(env, requested, run)).to.include({ added: 1, events: 8 });
    expect((await request('select count(*) from events', out)).rows).to.deep.equal([[8]]);
  });

  it('follow it', async () => {
    const streams = await openStreams({ env });
    try {
      const [first] = await lastValueFrom(streams.events$().pipe(take(1), toArray()));
      expect(first!.type).to.equal('StoreCreated');
      const coming = lastValueFrom(streams.orders$({ after: await streams.head() }).pipe(take(1), toArray()));
      const [late] = recorded(
        ['order'],
        [placed({ store: LAMPS, at: '2026-04-02T09:00:00.000Z', cents: 300 }, 10)],
        {},
      );
      await store.append(late!.stream, 'noStream', [{ ...late!, id: 'a0000000-0000-4000-8000-000000000001' }]);
      expect((await coming)[0]!.order.totalCents).to.equal(300);
    } finally {
      await streams.close();
    }
  });
});
