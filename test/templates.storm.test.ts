/** Stores change templates while the provider fails, reviews, tells late or not at all, and processes end: both agree in the end. */
import { expect } from 'chai';
import { settle } from './support/fakeClock.js';
import type { GraphFault, GraphTemplate } from './support/templateGraph.js';
import { type Body, seconds, type TemplateWorld, templateWorld } from './support/templateWorld.js';

const NAMES = ['a', 'b', 'c', 'd'];
const FAULTS: readonly GraphFault[] = ['lost', 'drop', { code: 2, status: 503 }, { code: 100, message: 'No.' }];
const KINDS = ['POST create', 'POST edit', 'DELETE delete', 'GET list', 'GET find'];
const REVIEWS: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['APPROVED', 'APPROVED', 'REJECTED'],
  APPROVED: ['PAUSED', 'APPROVED'],
  PAUSED: ['APPROVED'],
  REJECTED: ['REJECTED'],
};

/** The same numbers for the same seed. */
function randoms(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('templates in a storm', function () {
  this.timeout(60_000);
  let world: TemplateWorld;
  afterEach(() => world.close());

  const shownOf = ({ name, status, components }: GraphTemplate): string =>
    `${name} ${status.toLowerCase()} ${(components[0] as { text: string }).text}`;

  async function act(random: (below: number) => number, step: number): Promise<void> {
    const { graph, clock } = world;
    const name = NAMES[random(NAMES.length)]!;
    const definition = { body: { text: `Words ${step}` } };
    const known = (await world.call('GET')).body.templates.find((one: Body) => one.name === name);
    const there = [...graph.templates.values()].find((one) => one.name === name);
    switch (random(8)) {
      case 0:
      case 1:
        return void (await world.call('POST', '', { name, language: 'en', category: 'utility', definition }));
      case 2:
      case 3:
        return void (known && (await world.call('PATCH', `/${known.id}`, { definition })));
      case 4:
        return void (known && (await world.call('DELETE', `/${known.id}`)));
      case 5:
      case 6: {
        if (there === undefined) return;
        const events = REVIEWS[there.status] ?? [];
        const event = events[random(events.length)];
        if (event === undefined) return;
        there.status = event;
        // Told at once, or twice, or never.
        for (let told = random(3); told > 0; told -= 1) await world.status(there.id, event, seconds(clock));
        return;
      }
      default: {
        const kind = KINDS[random(KINDS.length)]!;
        graph.faults.set(kind, [...(graph.faults.get(kind) ?? []), FAULTS[random(FAULTS.length)]!]);
      }
    }
  }

  for (const seed of [1, 2, 3, 19])
    it(`are in the end what the provider has (seed ${seed})`, async () => {
      world = await templateWorld();
      const random = randoms(seed);
      for (let step = 0; step < 60; step += 1) {
        await act(random, step);
        await world.clock.advance(random(3_000));
        await settle(random(20));
        if (step % 20 === 19) {
          await world.stopProcessors();
          await act(random, 100 + step);
          await world.startProcessors();
        }
      }
      world.graph.faults.clear();
      for (let minute = 0; minute < 5; minute += 1) {
        await world.clock.advance(60_000);
        await world.quiet();
      }
      await world.clock.advance(1_000);
      const before = world.clock.now();
      await world.call('POST', '/sync');
      const { templates } = await world.listed(({ syncedAt }) => Date.parse(syncedAt) >= before);
      await world.quiet();
      const here = templates.filter(({ status }: Body) => status !== 'submit_failed');
      const shown = here.map(({ name, status, definition }: Body) => `${name} ${status} ${definition.body.text}`);
      // While an edit of an approved template is reviewed, what was approved stays.
      const reviewed = new Set(here.filter(({ editPending }: Body) => editPending).map(({ name }: Body) => name));
      const settled = (one: string): boolean => !reviewed.has(one.split(' ')[0]);
      expect(shown.filter(settled)).to.have.members([...world.graph.templates.values()].map(shownOf).filter(settled));
      for (const name of reviewed)
        expect([...world.graph.templates.values()].find((one) => one.name === name)?.status).to.equal('PENDING');
      expect(templates.filter(({ status }: Body) => ['submitting', 'deleting'].includes(status))).to.deep.equal([]);
    });
});
