/**
 * Stores change templates while the provider fails, reviews, and reports late or never, and while processes stop. Both
 * sides agree in the end. The seed determines every step: each call of the provider waits twice for its turn. The clock
 * advances only while nothing else runs, and stops whenever a task is due.
 */
import { expect } from 'chai';
import { listTemplates } from '../../api/operations/templates/listTemplates.js';
import type { GraphFault, GraphTemplate } from '../support/doubles/templateGraph.js';
import { type Body, seconds, type TemplateStage, templateStage } from '../support/stages/templateStage.js';

const NAMES = ['a', 'b', 'c', 'd'];
const FAULTS: readonly GraphFault[] = ['lost', 'drop', { code: 2, status: 503 }, { code: 100, message: 'No.' }];
const KINDS = ['POST create', 'POST edit', 'DELETE delete', 'GET list', 'GET find'];
const REVIEWS: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['APPROVED', 'APPROVED', 'REJECTED'],
  APPROVED: ['PAUSED', 'APPROVED'],
  PAUSED: ['APPROVED'],
  REJECTED: ['REJECTED'],
};
const QUIET_MS = 5 * 60_000;

type Random = (below: number) => number;

/** Returns a generator that yields the same numbers for the same seed. */
function randoms(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('templates under random changes', () => {
  let stage: TemplateStage;
  /** Calls of the provider that wait for their turn, in order. */
  let current: ((goesOn: boolean) => void)[];
  async function begin(): Promise<void> {
    stage = await templateStage({ steady: true });
    current = [];
    await still();
    stage.graph.gate = () => new Promise((resolve) => void current.push(resolve));
  }
  async function end(): Promise<void> {
    free();
    await stage.close();
  }
  beforeEach(begin);
  afterEach(end);

  const still = (): Promise<void> => stage.still(() => current.length);
  /** Releases all waiting calls, and lets later calls pass. */
  function free(): void {
    stage.graph.gate = async () => true;
    for (const go of current.splice(0)) go(true);
  }
  /** Advances the clock from one due task to the next. */
  async function pass(ms: number): Promise<void> {
    const { clock } = stage;
    for (const end = clock.now() + ms; clock.now() < end; await still())
      await clock.advance(Math.min(end, (await stage.nextDue()) ?? end) - clock.now());
  }

  async function review(random: Random, there: GraphTemplate): Promise<void> {
    const events = REVIEWS[there.status] ?? [];
    const event = events[random(events.length)];
    if (event === undefined) return;
    there.status = event;
    // The status is reported once, twice, or never.
    for (let reported = random(3); reported > 0; reported -= 1)
      await stage.status(there.id, event, seconds(stage.clock));
  }

  async function act(random: Random, step: number): Promise<void> {
    const { graph } = stage;
    const name = NAMES[random(NAMES.length)]!;
    const definition = { body: { text: `Words ${step}` } };
    const known = (await stage.call('GET')).body.templates.find((one: Body) => one.name === name);
    const there = [...graph.templates.values()].find((one) => one.name === name);
    switch (random(8)) {
      case 0:
      case 1:
        return void (await stage.call('POST', '', { name, language: 'en', category: 'utility', definition }));
      case 2:
      case 3:
        return void (known && (await stage.call('PATCH', `/${known.id}`, { definition })));
      case 4:
        return void (known && (await stage.call('DELETE', `/${known.id}`)));
      case 5:
      case 6:
        return void (there && (await review(random, there)));
      default: {
        const kind = KINDS[random(KINDS.length)]!;
        graph.faults.set(kind, [...(graph.faults.get(kind) ?? []), FAULTS[random(FAULTS.length)]!]);
      }
    }
  }

  /** Restarts the processors during a call that the provider may have received. */
  async function crash(random: Random, step: number): Promise<void> {
    await stage.stopProcessors();
    while (current.length > 0) {
      current.shift()!(random(2) === 0);
      await new Promise(setImmediate);
    }
    await act(random, 100 + step);
    await stage.clock.advance(1);
    await stage.startProcessors();
    await still();
  }

  async function storm(seed: number): Promise<void> {
    const random = randoms(seed);
    for (let step = 0; step < 60; step += 1) {
      await act(random, step);
      await still();
      for (let turns = random(6); turns > 0 && current.length > 0; turns -= 1) {
        current.shift()!(true);
        await still();
      }
      // No two tasks may be due at the same time, since their random ids would decide the order.
      await pass(1 + random(3_000));
      if (step % 20 === 19) await crash(random, step);
    }
  }

  /** Ends the storm, compares everything with the provider, and returns the store's templates. */
  async function settled(): Promise<Body> {
    stage.graph.faults.clear();
    free();
    await still();
    await pass(QUIET_MS);
    const before = stage.clock.now();
    await stage.call('POST', '/sync');
    await still();
    const { body } = await stage.call('GET');
    expect(Date.parse(body.syncedAt)).to.equal(before);
    return body.templates;
  }

  const shownOf = ({ name, status, components }: GraphTemplate): string =>
    `${name} ${status.toLowerCase()} ${(components[0] as { text: string }).text}`;
  /** Returns the calls of the provider and the listed templates, without ids. */
  const story = (templates: Body): string[] => [
    ...stage.graph.calls.map(({ method, path, body }) => `${method} ${path} ${body}`),
    ...templates.map((one: Body) => JSON.stringify({ ...one, id: '' })),
  ];

  for (const seed of [1, 2, 3, 19])
    it(`end in the provider's state (seed ${seed})`, async () => {
      await storm(seed);
      const templates = await settled();
      const here = templates.filter(({ status }: Body) => status !== 'submit_failed');
      const there = [...stage.graph.templates.values()];
      // An approved template with an edit in review stays as approved here. The provider lists the template as pending.
      const reviewed = here.filter(({ editPending }: Body) => editPending).map(({ name }: Body) => name);
      const pending = there.filter(({ name }) => reviewed.includes(name)).map(({ status }) => status);
      expect(pending).to.deep.equal(reviewed.map(() => 'PENDING'));
      expect(
        here
          .filter(({ editPending }: Body) => !editPending)
          .map(({ name, status, definition }: Body) => `${name} ${status} ${definition.body.text}`),
      ).to.have.members(there.filter(({ name }) => !reviewed.includes(name)).map(shownOf));
      expect(here.filter(({ editPending, status }: Body) => editPending && status !== 'approved')).to.deep.equal([]);
      expect(templates.filter(({ status }: Body) => ['submitting', 'deleting'].includes(status))).to.deep.equal([]);
    });

  it('behave the same with the same seed', async () => {
    await storm(19);
    const first = story(await settled());
    await end();
    await begin();
    await storm(19);
    expect(story(await settled())).to.deep.equal(first);
  });
});

describe('a list of templates', () => {
  it('is not marked as compared before it shows the changes', async () => {
    // A comparison runs between the two reads of a response.
    let compared = false;
    const notify = <T>(before: T, after: T): T => {
      const now = compared ? after : before;
      compared = true;
      return now;
    };
    const row = (status: string) => ({ keys: { knownSince: 1 }, json: JSON.stringify({ status }) });
    const read = {
      get: async () => notify(undefined, { body: { syncedAt: '2026-03-01T08:00:00.000Z' } }),
      page: async () => notify({ rows: [row('pending')] }, { rows: [row('paused')] }),
    };
    const { body } = await listTemplates.handle({ workspace: { workspaceId: 'w' }, read } as never);
    expect(JSON.parse((body as { text: string }).text)).to.deep.equal({ templates: [{ status: 'paused' }] });
  });
});
