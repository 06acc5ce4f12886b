/**
 * Forgetting in difficult situations: interrupted anywhere, repeated, during a rebuild, and on one of several
 * instances.
 */
import { expect } from 'chai';
import { Idempotency, idempotencyKeys } from '../../api/http/idempotency/idempotency.js';
import type { CommandsAbout, Forgetting, Subject } from '../../application/privacy/forgetting.js';
import { runBy } from '../../engine/projections/ownerErrors.js';
import { conversations } from '../../projections/conversations.js';
import { customerActivity } from '../../projections/customerActivity.js';
import { commandsOf, erasureWatch } from '../../service/composition/privacy/erasureWatch.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';

const SHOP = '00000000-0000-4000-8000-0000000000a1';
const [ASHA, BILE] = ['+252615550101', '+252615550102'];
const NEVER = new Promise<never>(() => undefined);

describe('an interrupted erasure', () => {
  let stage: ForgettingStage;
  let asha: Subject;
  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    for (const phone of [ASHA, BILE]) await stage.writes(SHOP, { phone });
    await stage.stage.shown();
    asha = { workspaceId: SHOP, value: ASHA, persons: await stage.people.everyone(SHOP, ASHA) };
  });
  afterEach(() => stage.close());

  const forget = (by: Forgetting, ...subjects: readonly Subject[]): Promise<number> =>
    by.forget(subjects, commandsOf(stage.stage.commands));
  const shown = async (): Promise<string> => {
    const rows = await stage.stage.reads.find(conversations, {
      where: { workspaceId: SHOP },
      sort: ['-rank'],
      limit: 9,
    });
    return rows.map(({ json }) => json).join();
  };
  /** Checks that the erasure completed once by itself and did not affect others. */
  async function ended(): Promise<void> {
    expect(await stage.underWay()).to.equal(0);
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([false, true]);
    expect((await stage.forgotten()).map(({ data }) => data)).to.deep.equal([{ personId: asha.persons[0] }]);
    await until('the read models are rebuilt', () => stage.texts.isShown([conversations.name, customerActivity.name]));
    expect(await shown())
      .to.include(BILE)
      .and.not.to.include(ASHA);
  }

  it('is continued by the next start if the keys still exist', async () => {
    void forget(stage.another({ people: { ...stage.people, forget: () => NEVER } }), asha);
    await until('it is logged', async () => (await stage.forgotten()).length === 1);
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    expect(await stage.another().resume()).to.equal(1);
    await ended();
    expect(await stage.another().resume(), 'and then there is nothing to go on with').to.equal(0);
  });

  it('is continued if the keys were removed and the read models not rebuilt', async () => {
    void forget(stage.another({ projections: { rebuild: () => NEVER, status: async () => [] } }), asha);
    await until('she is erased', async () => !(await stage.known(SHOP, ASHA))[0]);
    expect(await shown(), 'they still show her').to.include(ASHA);
    await until('it is recorded', async () => (await stage.underWay()) === 1);
    await stage.another().resume();
    await ended();
  });

  it('keeps no data of the customer in its records', async () => {
    void forget(stage.another({ people: { ...stage.people, forget: () => NEVER } }), asha);
    await until('it is recorded', async () => (await stage.underWay()) === 1);
    const [note] = await stage.stage.work.find('forgettings', { limit: 1 });
    expect(note!.json).not.to.include(ASHA.slice(1)).and.not.to.include(asha.persons[0]);
  });

  it('has the same result when requested twice at once, and does nothing for an unknown customer', async () => {
    await Promise.all([forget(stage.another(), asha), forget(stage.another(), asha)]);
    await ended();
    await forget(stage.another(), { ...asha, persons: [] });
    await ended();
  });

  it("restarts a rebuild that had read the customer's data", async () => {
    const release = stage.stage.holdViews();
    await stage.stage.projections.rebuild(conversations.name);
    const done = forget(stage.forgetting, asha);
    await until('she is erased', async () => !(await stage.known(SHOP, ASHA))[0]);
    release();
    await done;
    await ended();
  });

  it('leaves nothing in responses to requests that read models not yet rebuilt', async () => {
    const { work } = stage.stage;
    const mayShowErased = erasureWatch(stage.people, stage.forgetting);
    const keys = new Idempotency(work, stage.clock, undefined, mayShowErased);
    const stored = async (id: string): Promise<string> => {
      const started = await keys.begin(id, 'the same', 'caller');
      if (!('run' in started)) throw new Error('the key was used');
      await started.run.store({ status: 201, body: await shown() });
      const [entry] = (await work.getMany(idempotencyKeys.name, [id])).values();
      return entry!.json;
    };
    expect(await stored('before')).to.include(ASHA);
    const release = stage.stage.holdViews();
    await forget(stage.forgetting, asha);
    expect(await shown(), 'they still show her').to.include(ASHA);
    expect(await stored('meanwhile')).not.to.include(ASHA);
    release();
    await until('the read models are rebuilt', () => stage.texts.isShown([conversations.name]));
    await until('that is detected', async () => {
      await stage.another().resume();
      return !(await mayShowErased());
    });
    expect(await stored('after'))
      .to.include(BILE)
      .and.not.to.include(ASHA);
  });

  it('is left to the instance running it for a minute', async () => {
    void forget(stage.another({ people: { ...stage.people, forget: () => NEVER } }), asha);
    await until('it is logged', async () => (await stage.forgotten()).length === 1);
    const other = stage.another({ alone: false });
    await other.resume();
    expect(await stage.known(SHOP, ASHA)).to.deep.equal([true]);
    await stage.clock.advance(60_000);
    await other.resume();
    await ended();
  });

  it('is left to the instance running it for longer, while it makes progress', async () => {
    const bile = { workspaceId: SHOP, value: BILE, persons: await stage.people.everyone(SHOP, BILE) };
    const slow: CommandsAbout = (about) => {
      const commands = commandsOf(stage.stage.commands)(about);
      const decide: typeof commands.decide = async (...command) => {
        const done = await commands.decide(...command);
        await stage.clock.advance(50_000);
        return done;
      };
      return { ...commands, decide };
    };
    const startedAt = stage.clock.now();
    void stage.another({ people: { ...stage.people, forget: () => NEVER } }).forget([asha, bile], slow);
    await until('it is logged for both', async () => (await stage.forgotten()).length === 2);
    await until('the second took its time', async () => stage.clock.now() >= startedAt + 100_000);
    const other = stage.another({ alone: false });
    await other.resume();
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([true, true]);
    await stage.clock.advance(60_000);
    await other.resume();
    expect(await stage.known(SHOP, ASHA, BILE)).to.deep.equal([false, false]);
  });

  it('rebuilds a build that was filling on several instances once more when it is ready', async () => {
    const filling = [{ name: conversations.name, state: 'rebuilding' }] as never;
    const rebuilt: string[] = [];
    const shared = (status: () => Promise<never>) =>
      stage.another({
        alone: false,
        projections: {
          status,
          async rebuild(name) {
            rebuilt.push(name);
            await stage.stage.projections.rebuild(name, true);
          },
        },
      });
    await forget(
      shared(async () => filling),
      asha,
    );
    expect(rebuilt).not.to.include(conversations.name);
    await shared(async () => filling).resume();
    expect(await stage.underWay()).to.equal(1);
    await shared(async () => [] as never).resume();
    expect(rebuilt.at(-1)).to.equal(conversations.name);
    await ended();
  });

  it('is completed by the instances that own the read models, each its own', async () => {
    const mine = customerActivity.name;
    const { projections } = stage.stage;
    const having = (has: (name: string) => boolean) => ({
      status: () => projections.status(),
      rebuild: (name: string, fresh?: boolean) =>
        has(name) ? projections.rebuild(name, fresh) : Promise.reject(runBy(name, 'other')),
    });
    await forget(stage.another({ alone: false, projections: having((name) => name === mine) }), asha);
    expect(await stage.underWay(), 'the rest is noted').to.equal(1);
    await stage.another({ alone: false, projections: having((name) => name !== mine) }).resume();
    await ended();
  });
});
