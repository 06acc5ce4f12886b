/** Whose work may keep whose waiting: no endpoint and no tenant another's, whatever hangs. */
import { expect } from 'chai';
import fc from 'fast-check';
import { defineProcessor } from '../../engine/processors/processor.js';
import { type Lane, Lanes } from '../../engine/processors/tasks/lanes.js';
import type { PendingTask } from '../../engine/processors/tasks/taskDocuments.js';
import { until } from '../support/doubles/fakeClock.js';
import { receiver } from '../support/doubles/receiver.js';
import { processorStage } from '../support/stages/processorStage.js';
import { OTHER_STORE, PARTNER, STORE, webhookStage } from '../support/stages/webhookStage.js';

const pending = (id: string, lane: string): PendingTask => ({
  id,
  lane,
  kind: 'do',
  dueAt: 0,
  payload: {},
  attempt: 1,
  revision: 1,
  createdAt: 0,
  failures: 0,
});

describe('group scheduling', () => {
  const TURNS = 8;
  const lanesOf = () => new Lanes({ window: 32, tasks: 1000, lanes: 1000, turns: TURNS });

  it('leaves room: one group gets half, a second half of the rest, a single lane all it needs', () => {
    const lanes = lanesOf();
    const offer = (name: string): void => {
      const task = pending(name, name);
      lanes.offer({ id: task.id, lane: name, revision: 1, open: () => task }, undefined);
    };
    for (let i = 0; i < 20; i++) offer(`hanging/${i}`);
    const taken: Lane[] = [];
    const takeAll = (): string[] => {
      const before = taken.length;
      for (let lane = lanes.take(); lane !== undefined; lane = lanes.take()) taken.push(lane);
      return taken.slice(before).map(({ name }) => name);
    };
    expect(takeAll()).to.have.lengthOf(4);
    for (let i = 0; i < 20; i++) offer(`second/${i}`);
    expect(takeAll()).to.have.lengthOf(2);
    offer('third/0');
    offer('alone');
    expect(takeAll()).to.deep.equal(['third/0', 'alone']);
  });

  it('loses no lane, runs one task of a lane at a time, and gives a group without a turn the next free one', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.nat(5)), { maxLength: 60 }),
        fc.infiniteStream(fc.nat(100)),
        (tasks, picks) => {
          const lanes = lanesOf();
          const busy: { lane: Lane; task: PendingTask }[] = [];
          const done: string[] = [];
          const busyOf = (group: string): number => busy.filter(({ lane }) => lane.name.startsWith(`${group}/`)).length;
          const begin = (): void => {
            while (busy.length < TURNS) {
              const lane = lanes.take();
              if (lane === undefined) return;
              const [group] = lane.name.split('/');
              expect(busyOf(group!)).to.be.below(Math.max(1, TURNS - busy.length));
              expect(busy.map(({ lane: other }) => other.name)).to.not.include(lane.name);
              busy.push({ lane, task: lane.window.shift()! });
            }
          };
          tasks.forEach(([group, lane], i) => {
            const task = pending(`t${i}`, `g${group}/${lane}`);
            lanes.offer({ id: task.id, lane: task.lane, revision: 1, open: () => task }, undefined);
            begin();
          });
          while (busy.length > 0) {
            const [{ lane, task }] = busy.splice(picks.next().value % busy.length, 1) as [(typeof busy)[0]];
            done.push(task.id);
            lanes.settled(lane, task);
            lanes.release(lane);
            begin();
          }
          expect(done).to.have.members(tasks.map((_, i) => `t${i}`));
          expect(lanes.size()).to.deep.equal({ lanes: 0, inMemory: 0 });
        },
      ),
    ));
});

describe('a processor with groups', () => {
  it('works for one tenant while all tasks of another hang', async () => {
    const stage = await processorStage();
    const started: string[] = [];
    try {
      await stage.start(
        defineProcessor<{ type: 'Asked'; data: { tenant: string; lane: number } }>({
          name: 'grouped',
          categories: ['thing'],
          concurrency: 6,
          on: {
            Asked: ({ id, data: { tenant, lane } }) => [
              { id, kind: 'do', lane: `${tenant}/${lane}`, payload: { tenant } },
            ],
          },
          perform: {
            do: ({ payload }: { payload: { tenant: string } }) => {
              started.push(payload.tenant);
              return payload.tenant === 'hangs' ? new Promise(() => undefined) : Promise.resolve({ done: true });
            },
          },
        }),
      );
      const requested = (tenant: string, count: number) =>
        Array.from({ length: count }, (_, lane) => ({ type: 'Asked', data: { tenant, lane } }));
      await stage.append('thing-1', requested('hangs', 30));
      await stage.append('thing-1', requested('well', 50));
      await until('the other has all', () => started.filter((tenant) => tenant === 'well').length === 50);
      expect(started.filter((tenant) => tenant === 'hangs')).to.have.lengthOf(3);
    } finally {
      await stage.close();
    }
  });
});

describe('webhook deliveries of several tenants', () => {
  it('are in one group per partner including its stores, tests and replays', async () => {
    const stage = await webhookStage();
    const target = await receiver();
    target.answer(500);
    try {
      const running = await stage.start();
      await stage.endpoint(target.url, ['order.created']);
      await stage.endpoint(target.url, ['order.created'], { workspaceId: OTHER_STORE });
      await stage.endpoint(target.url, ['order.created'], { partnerId: PARTNER });
      for (const store of [STORE, OTHER_STORE]) await stage.happens('OrderPlaced', {}, store);
      await until('all have arrived', () => target.received.length === 4);
      await stage.quiet(running);
      const rows = await stage.processors.work.find('tasks_webhooks', { sort: ['dueAt'], limit: 100 });
      const lanes = rows.map(({ keys }) => String(keys.lane)).filter((lane) => !lane.endsWith('.check'));
      expect(lanes).to.have.lengthOf(4);
      for (const lane of lanes) expect(lane).to.match(new RegExp(`^${PARTNER}/[0-9a-f-]{36}\\.[0-3]$`));
    } finally {
      await stage.close();
      await target.close();
    }
  });
});
