import { expect } from 'chai';
import { audiencesOf, deliveries, endpointOf, notifyLater } from '../../application/webhooks/deliveriesFor.js';
import { ONE_SHARD } from '../../engine/processors/context.js';
import type { NewTask } from '../../engine/processors/processor.js';
import { SHARDS, shardOf } from '../../engine/processors/shards.js';

const TENANT = 'p1';
const ENDPOINTS = ['e1', 'e2', 'e3', 'e4', 'e5'];
const of = (key: string): number => shardOf(key, SHARDS);
const partitioned = (isHere: (key: string) => boolean) => ({ count: SHARDS, of, isHere });
const everywhere = partitioned(() => true);

describe('webhooks, partitioned by endpoint', () => {
  const reportOf = (audience: ReturnType<typeof audiencesOf>[number]): NewTask => {
    const to = audience.endpointIds.map((id) => ({ id: `d-${id}`, lane: `${TENANT}/${id}.0`, endpointId: id }));
    const source = { type: 'message.received', stream: 'conversation-c1', revision: 3 };
    const about = { eventId: 'x', eventType: 'message.received', trigger: 'event' as const, source };
    return notifyLater('x', audience, 'conversation-c1', { ...about, to });
  };

  it('use the same lanes as before without shards', () => {
    const [one, ...more] = audiencesOf(TENANT, ENDPOINTS, ONE_SHARD);
    expect(more).to.deep.equal([]);
    expect(one).to.deep.equal({ tenant: TENANT, endpointIds: ENDPOINTS });
    expect(reportOf(one!)).to.include({ lane: 'p1/conversation-c1.tell' });
    expect(audiencesOf(TENANT, [], ONE_SHARD)).to.deep.equal([]);
  });

  it('are delivered by each shard to its own endpoints, each once', () => {
    const all = audiencesOf(TENANT, ENDPOINTS, everywhere);
    expect(all.flatMap(({ endpointIds }) => endpointIds)).to.have.members(ENDPOINTS);
    for (const { endpointIds, part } of all)
      expect(endpointIds.map((id) => String(of(id)))).to.deep.equal(endpointIds.map(() => part));
    const mentions = all.map(reportOf);
    expect(new Set(mentions.map(({ id }) => id)).size, 'ids of their own').to.equal(all.length);
    expect(new Set(mentions.map(({ lane }) => lane)).size, 'lanes of their own').to.equal(all.length);
  });

  it('are delivered only by the instance that owns the endpoint', () => {
    const here = audiencesOf(
      TENANT,
      ENDPOINTS,
      partitioned((id) => id < 'e3'),
    );
    const there = audiencesOf(
      TENANT,
      ENDPOINTS,
      partitioned((id) => id >= 'e3'),
    );
    expect(here.flatMap(({ endpointIds }) => endpointIds)).to.have.members(['e1', 'e2']);
    expect(there.flatMap(({ endpointIds }) => endpointIds)).to.have.members(['e3', 'e4', 'e5']);
  });

  it('stay with their endpoint, whatever caused them', () => {
    for (const audience of audiencesOf(TENANT, ENDPOINTS, everywhere)) {
      const report = reportOf(audience) as NewTask<never>;
      const next = deliveries(report.payload, { body: '{}' }) as NewTask<never>[];
      const shards = [report, ...next].map((task) => of(endpointOf(task)));
      expect(new Set(shards)).to.deep.equal(new Set([Number(audience.part)]));
    }
  });
});
