/** Readiness of several instances while a shard of a partitioned read model is stopped. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Readiness } from '../../api/server/health.js';
import { type InstancesStage, instancesStage, noInstances } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { meta } from '../contracts/eventStoreKit.js';
import { until } from '../support/tools/until.js';

/** Maximum start time of an instance on a busy machine, in ms. */
const START_MS = 150_000;

const title = 'instances with a stopped shard';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(400_000);
    let stage: InstancesStage;
    let services: readonly ServiceProcess[];
    before(async () => {
      stage = await instancesStage();
      services = [await stage.start('one', {}, START_MS), await stage.start('two', {}, START_MS)];
    });
    after(() => stage?.close());

    async function projectionsOf({ baseUrl }: ServiceProcess): Promise<string> {
      const { checks } = (await (await fetch(`${baseUrl}/readyz`)).json()) as Readiness;
      const { ok, detail } = checks.find(({ name }) => name === 'projections')!;
      return `${ok}: ${detail}`;
    }

    it('report it in /readyz on the owner of the shard, and continue elsewhere', async function () {
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      const shared = async () => {
        const { projections } = await stage.json('one', 'projections', 'status');
        return projections.find(({ name }: { name: string }) => name === 'catalogItems').owner;
      };
      await until('both own shards', async () => (await shared()) === 'one, two', 60_000);
      const store = await openEventStoreDb(`esdb://${events.address}?tls=false`);
      // Event without items, which no handler can read.
      const unreadable = { id: randomUUID(), type: 'CatalogItemsWithdrawn', data: {}, meta };
      await store.append('catalogSync-aisha', 'noStream', [unreadable]);
      await store.close();
      const isStopped = (text: string) => /^false: stopped: (.*, )?catalogItems/.test(text);
      const textOf = () => Promise.all(services.map(projectionsOf));
      await until('one of them reports it', async () => (await textOf()).some(isStopped), 30_000);
      // The metric shows that the other instance was notified.
      await until('both know', async () => {
        const all = await Promise.all(services.map(async (one) => (await fetch(`${one.baseUrl}/metrics`)).text()));
        return all.every((text) => /suuq_projection_stopped\{projection="catalogItems"\} 1/.test(text));
      });
      expect((await textOf()).filter(isStopped)).to.have.length(1);
    });
  });
