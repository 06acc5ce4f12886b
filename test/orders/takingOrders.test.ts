/** Order acceptance of a store that another instance has just closed. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { takesOrders } from '../../application/orders/orderAcceptance.js';
import { plan, publishPlan } from '../../domain/partners/plan.js';
import {
  changeStore,
  closeStore,
  createStore,
  reinstateStore,
  store,
  suspendStore,
} from '../../domain/stores/store.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { systemClock } from '../../engine/ports/clock.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const shop = {
  name: 'Hodan Fashion',
  owner: { email: 'hodan@example.com', name: 'Hodan' },
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'so' as const,
  planKey: 'growth',
};

describe('whether a store accepts orders', () => {
  let folder: string;
  let events: EventStore;
  /** Two instances on one event log. */
  let here: CommandHandler;
  let there: CommandHandler;
  const by = () => ({ commandId: randomUUID(), actor: { type: 'system' } as const, correlationId: 'spec' });
  const change = (decision: ReturnType<typeof closeStore>) => there.decide(by(), store, STORE, decision);
  const publish = (enabled: boolean) =>
    there.decide(
      by(),
      plan,
      'growth',
      publishPlan({ key: 'growth', name: 'Growth', features: [{ key: 'commerce.orders', enabled }] }),
    );
  const requested = (since?: number) => takesOrders(here, STORE, since);
  let now = Date.parse('2026-03-01T09:00:00Z');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-taking-'));
    events = await openEmbeddedEventStore(folder, { writesHere: true });
    const snapshots = await openSnapshotFiles(folder);
    const handler = () =>
      createCommandHandler({
        eventStore: events,
        snapshots,
        clock: { ...systemClock, now: () => now },
        sharedStore: true,
      });
    [here, there] = [handler(), handler()];
  });
  after(async () => {
    await events.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is visible at once on every instance after the store closes, opens or changes its plan', async () => {
    expect(await requested(), 'there is none').to.equal(false);
    await change(createStore(shop));
    expect(await requested(), 'there is no plan').to.equal(false);
    await publish(true);
    expect(await requested()).to.equal(true);
    for (const [decision, taken] of [
      [closeStore(), false],
      [changeStore({ status: 'active' }), true],
      [suspendStore({}), false],
      [reinstateStore(), true],
    ] as const) {
      await change(decision);
      expect(await requested()).to.equal(taken);
    }
    await publish(false);
    expect(await requested(), 'the plan has none').to.equal(false);
    await publish(true);
    expect(await requested()).to.equal(true);
  });

  it('is known for the whole time since a moment, and is false if there was any break', async () => {
    const changing = (decision: ReturnType<typeof closeStore>) => () => change(decision);
    for (const [stop, start] of [
      [changing(closeStore()), changing(changeStore({ status: 'active' }))],
      [changing(suspendStore({})), changing(reinstateStore())],
      [() => publish(false), () => publish(true)],
    ] as const) {
      now += 1_000;
      const started = now;
      expect(await requested(started), 'nothing has happened since').to.equal(true);
      now += 1_000;
      await stop();
      expect(await requested(started), 'stopped').to.equal(false);
      now += 1_000;
      await start();
      expect(await requested(started), 'before the break').to.equal(false);
      expect(await requested(now), 'after it').to.equal(true);
      expect(await requested()).to.equal(true);
    }
    now += 1_000;
    const startedAt = now;
    now += 1_000;
    await change(changeStore({ name: 'Hodan' }));
    await there.decide(
      by(),
      plan,
      'growth',
      publishPlan({ key: 'growth', name: 'Growth', features: ['chat.inbox', 'commerce.orders'].map(on) }),
    );
    expect(await requested(startedAt), 'another change is no break').to.equal(true);
  });
});

const on = (key: string) => ({ key, enabled: true });
