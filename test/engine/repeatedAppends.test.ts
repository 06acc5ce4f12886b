/** Two instances decide under one command id. The result of each matches the log. */
import { expect } from 'chai';
import { type Aggregate, type DomainEvent, refuse, type WithMeta } from '../../domain/decider.js';
import { createCommandHandler, type RunningCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import { type EventStore, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { forgetfulSnapshots } from '../../engine/ports/snapshots.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { type LateStore, lateStore } from '../support/doubles/lateStore.js';
import { type MemoryLog, memoryLog } from '../support/spec/memoryLog.js';

type KeyEvent = DomainEvent<'KeyDrawn', { key: string }>;
interface Owner {
  readonly keys: readonly string[];
  readonly at: string | undefined;
}
const owner: Aggregate<Owner, KeyEvent> = {
  name: 'owner',
  initial: () => ({ keys: [], at: undefined }),
  evolve: ({ keys }, { data, meta }: WithMeta<KeyEvent>) => ({ keys: [...keys, data.key], at: meta.at }),
};
/** Draws a key if the owner has none. */
const draw =
  (key: string) =>
  ({ keys }: Owner): KeyEvent[] =>
    keys.length > 0 ? [] : [{ type: 'KeyDrawn', data: { key } }];
/** Draws a key, and refuses if the owner has one. */
const drawOnce =
  (key: string) =>
  ({ keys }: Owner): KeyEvent[] =>
    keys.length > 0 ? refuse('has_key', 'There is a key.') : [{ type: 'KeyDrawn', data: { key } }];
const add = (key: string) => (): KeyEvent[] => [{ type: 'KeyDrawn', data: { key } }];

const by = (commandId: string, more: Partial<CommandContext> = {}): CommandContext => ({
  ...{ commandId, actor: { type: 'system' }, correlationId: 'r' },
  ...more,
});

for (const mentions of [true, false])
  describe(`a command decided by two instances, over a store that ${mentions ? 'reports' : 'does not report'} repeats`, () => {
    let log: MemoryLog;
    let clock: FakeClock;
    let late: LateStore<EventStore>;
    let slow: RunningCommandHandler;
    let other: RunningCommandHandler;
    const instance = (eventStore: EventStore): RunningCommandHandler =>
      createCommandHandler({ eventStore, snapshots: forgetfulSnapshots, clock, sharedStore: true });
    const keysOf = (commands: RunningCommandHandler) => commands.query(owner, 'asha', ({ keys }) => keys);
    const stored = () => log.events.map(({ data }) => (data as { key: string }).key);

    beforeEach(() => {
      const whole = memoryLog();
      log = mentions
        ? whole
        : {
            ...whole,
            reportsRepeats: false,
            async append(...args) {
              const { revision, position } = await whole.append(...args);
              return { revision, position };
            },
          };
      clock = fakeClock();
      late = lateStore<EventStore>(log);
      [slow, other] = [instance(late.store), instance(log)];
    });

    /** `slow` decides first, but its append reaches the log after the append of `other`. */
    async function overtaken(first: string, second: string, decide = draw) {
      const current = late.hold('append');
      const deciding = slow.decide(by('c1'), owner, 'asha', decide(first));
      const append = await current;
      await clock.advance(1_000);
      await other.decide(by('c1'), owner, 'asha', decide(second));
      await append.answer();
      return deciding;
    }

    it('is decided again on the stored events if they differ', async () => {
      const { events } = await overtaken('of the slow one', 'of the other');
      expect(events).to.deep.equal([]);
      expect(stored()).to.deep.equal(['of the other']);
      expect([await keysOf(slow), await keysOf(other)]).to.deep.equal([['of the other'], ['of the other']]);
    });

    it('is confirmed if the same events are stored, and the state matches the log', async () => {
      const { events, revision } = await overtaken('the same', 'the same', drawOnce);
      expect([events.length, revision]).to.deep.equal([1, 0]);
      const at = (commands: RunningCommandHandler) => commands.query(owner, 'asha', (state) => state.at);
      expect(await at(slow)).to.equal(log.events[0]!.meta.at);
      expect(await at(other)).to.equal(log.events[0]!.meta.at);
    });

    it('is confirmed if its own append was stored and the response lost', async () => {
      late.failAfter('append', new StoreUnavailable('the connection broke'));
      const { events } = await slow.decide(by('c1'), owner, 'asha', drawOnce('mine'));
      expect(events.map(({ data }) => data.key)).to.deep.equal(['mine']);
      expect(await keysOf(slow)).to.deep.equal(['mine']);
    });

    it('keeps the commands queued behind it, and loses or repeats nothing', async () => {
      const current = late.hold('append');
      const first = slow.decide(by('c1'), owner, 'asha', draw('of the slow one'));
      const append = await current;
      const behind = [2, 3].map((n) => slow.decide(by(`c${n}`), owner, 'asha', add(`behind ${n}`)));
      await other.decide(by('c1'), owner, 'asha', draw('of the other'));
      await append.answer();
      await Promise.all([first, ...behind]);
      expect(stored().sort()).to.deep.equal(['behind 2', 'behind 3', 'of the other']);
      expect(await keysOf(slow)).to.deep.equal(await keysOf(other));
    });

    it('fails without a success if the stored events cannot be read', async () => {
      const current = late.hold('append');
      const deciding = slow.decide(by('c1'), owner, 'asha', draw('of the slow one')).catch((error) => error);
      const append = await current;
      await other.decide(by('c1'), owner, 'asha', draw('of the other'));
      late.failBefore('readStream');
      await append.answer();
      expect(await deciding).to.be.instanceOf(StoreUnavailable);
      expect(await keysOf(slow)).to.deep.equal(['of the other']);
    });

    it('hides no event of another instance from a query that waits for it', async () => {
      const current = late.hold('append');
      const deciding = slow.decide(by('c1'), owner, 'asha', add('mine'));
      const append = await current;
      await append.takeEffect();
      await other.decide(by('c2'), owner, 'asha', add('of the other'));
      const seen = keysOf(slow);
      await append.answer();
      await deciding;
      expect(await seen).to.deep.equal(['mine', 'of the other']);
    });

    it('needs no read if its id is unique to it, or the store confirms the write', async () => {
      await slow.decide(by('c1', { isDrawn: true }), owner, 'asha', add('one'));
      late.failBefore('readStream');
      await slow.decide(by('c2', { isDrawn: true }), owner, 'asha', add('two'));
      if (mentions) await slow.decide(by('c3'), owner, 'asha', add('three'));
      expect(await slow.query(owner, 'asha', ({ keys }) => keys.length).catch((error) => error)).to.be.instanceOf(
        StoreUnavailable,
      );
    });
  });
