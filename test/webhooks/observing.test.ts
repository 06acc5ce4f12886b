/** Metrics and logs of deliveries: every attempt, a bounded number of endpoints, and no private data. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import type { SeenAttempt } from '../../application/webhooks/attemptReports.js';
import { endpointPlaces, webhookMetrics } from '../../service/composition/metrics/webhookMetrics.js';
import { createLog } from '../../service/log.js';
import { until } from '../support/doubles/fakeClock.js';
import { receiver } from '../support/doubles/receiver.js';
import { STORE, webhookStage } from '../support/stages/webhookStage.js';

describe('metrics of webhook attempts', () => {
  it('report each attempt with its endpoint, outcome and times', async () => {
    const registry = new Registry();
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = createLog('debug', { to: { write } });
    const count = webhookMetrics(registry, log);
    const seen: SeenAttempt[] = [];
    const see = (attempt: SeenAttempt): void => {
      seen.push(attempt);
      count(attempt);
    };
    const stage = await webhookStage({ seen: see });
    const target = await receiver();
    try {
      const running = await stage.start();
      const url = `${target.url}/path-7?token=query-7`;
      const { id: endpointId, secret } = await stage.endpoint(url, ['order.created']);
      target.answer(503);
      const eventId = await stage.happens('OrderPlaced', { note: 'payload-7' });
      await until('the first is seen', () => seen.length === 1);
      await stage.quiet(running);
      target.answer(204);
      await stage.nextTimer(running);
      await until('the second is seen', () => seen.length === 2);
      const common = {
        endpointId,
        ownerId: STORE,
        host: `127.0.0.1:${target.port}`,
        eventId,
        eventType: 'order.created',
        trigger: 'event',
        waitedMs: 0,
      };
      const [first, second] = seen;
      expect(first).to.include({ ...common, attempt: 1, status: 'failed', responseCode: 503 });
      expect(second).to.include({ ...common, attempt: 2, status: 'succeeded', responseCode: 204 });
      expect(Date.parse(first!.nextRetryAt!)).to.equal(stage.processors.clock.now());
      expect(second).to.not.have.property('nextRetryAt');

      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(entries.map(({ level, attempt }) => [level, attempt])).to.deep.equal([
        ['info', 1],
        ['debug', 2],
      ]);
      const text = `${lines.join('')}${await registry.metrics()}`;
      for (const hidden of ['payload-7', 'query-7', 'path-7', secret, 'v1=']) expect(text).to.not.contain(hidden);
      expect(text).to.contain(`suuq_webhook_endpoint_attempts_total{endpoint="${endpointId}",status="failed"} 1`);
      expect(text).to.contain(`suuq_webhook_endpoint_queue_seconds{endpoint="${endpointId}"} 0`);
      expect(text).to.contain('suuq_webhook_attempt_seconds_count{status="succeeded",code="2xx"} 1');
      expect(text).to.contain('suuq_webhook_wait_seconds_count 2');
    } finally {
      await stage.close();
      await target.close();
    }
  });

  it('create a limited number of series, with the failing endpoints among them', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ endpoint: fc.nat(30), failed: fc.boolean() }), { maxLength: 200 }),
        (attempts) => {
          const gone: string[] = [];
          const places = endpointPlaces(
            5,
            (id) => gone.push(id),
            () => 0,
          );
          const failing = new Set<string>();
          for (const { endpoint, failed } of attempts) {
            const id = `e${endpoint}`;
            const label = places.labelOf(id, failed, 0);
            if (label === id && failed) failing.add(id);
            else if (!failed) failing.delete(id);
            expect(label).to.be.oneOf([id, 'other']);
            // A failing endpoint is left out only if other failing endpoints take all places.
            if (failed && label === 'other') expect(failing.size).to.equal(5);
          }
          const shown = [...places.waits().keys()];
          expect(shown.length).to.be.at.most(5);
          expect(shown).to.include.members([...failing]);
          expect(attempts.map(({ endpoint }) => `e${endpoint}`)).to.include.members([...shown, ...gone]);
        },
      ),
    ));

  it('drop an endpoint an hour after its last attempt, and a wait when nothing is due', () => {
    let now = 0;
    const gone: string[] = [];
    const places = endpointPlaces(
      2,
      (id) => gone.push(id),
      () => now,
    );
    places.labelOf('quiet', true, 0);
    places.labelOf('waiting', false, 4000);
    expect(places.waits().get('waiting')).to.equal(4);
    expect(places.labelOf('third', false, 0)).to.equal('other');
    now = 16_000;
    expect(places.waits().get('waiting')).to.equal(0);
    now = 3_600_001;
    expect(places.labelOf('third', false, 0)).to.equal('third');
    expect(gone).to.deep.equal(['quiet', 'waiting']);
  });
});
