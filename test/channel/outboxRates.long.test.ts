import { expect } from 'chai';
import fc from 'fast-check';
import { acceptMessage } from '../../domain/channel/conversationSending.js';
import { type OutboxStage, outboxStage, refusal } from '../support/stages/outboxStage.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const BURST = 45;
const PACE = 6 * SECOND;

describe('outbox', () => {
  let stage: OutboxStage;
  beforeEach(async () => {
    stage = await outboxStage();
  });
  afterEach(() => stage.close());
  const names = (count: number, prefix = 'm'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  const queueAll = async (ids: readonly string[], conversation = 'one') => {
    for (const id of ids) await stage.queue(id, conversation);
  };
  const taken = () => stage.sent.filter(({ refused }) => !refused);

  describe('for one customer', () => {
    it('sends 45 at once, then one every 6 seconds', async () => {
      const begin = stage.processors.clock.now();
      await queueAll(names(BURST + 5));
      await stage.start();
      await stage.pass('the burst is out', 0, () => taken().length === BURST);
      await stage.pass('all are sent', SECOND, () => taken().length === BURST + 5);
      const times = taken().map(({ at }) => at - begin);
      expect(times.slice(0, BURST).every((at) => at < 2 * SECOND)).to.equal(true);
      for (const [n, at] of times.slice(BURST).entries()) expect(at).to.be.at.least((n + 1) * PACE);
      expect(taken().map(({ messageId }) => messageId)).to.deep.equal(names(BURST + 5));
    });

    it('does not delay other customers', async () => {
      await queueAll(names(BURST + 1));
      await stage.queue('other', 'two');
      await stage.start();
      await stage.pass('the other customer has it', 10, () => taken().some(({ messageId }) => messageId === 'other'));
      expect(taken().filter(({ conversationOf }) => conversationOf === 'one').length).to.be.at.most(BURST);
    });

    it('keeps the pace after another instance takes over', async () => {
      const begin = stage.processors.clock.now();
      await queueAll(names(BURST + 3));
      const first = await stage.start();
      await stage.pass('the burst is out', 0, () => taken().length === BURST);
      first.crash();
      await stage.start();
      await stage.pass('all are sent', SECOND, () => taken().length === BURST + 3);
      const late = taken().slice(BURST);
      for (const [n, { at }] of late.entries()) expect(at - begin).to.be.at.least((n + 1) * PACE);
    });

    it("counts what other instances have sent, from the conversation's events", async () => {
      for (const id of names(BURST, 'before ')) {
        await stage.queue(id);
        await stage.decide(`took ${id}`, acceptMessage({ messageId: id, channelMessageId: `wamid.${id}` }));
      }
      const begin = stage.processors.clock.now();
      await stage.queue('next');
      await stage.start();
      await stage.pass('the next is sent', SECOND, () => taken().length === 1);
      expect(taken()[0]!.at - begin).to.be.at.least(PACE);
    });

    it('continues after the clock was set back by hours', async () => {
      await stage.queue('by the clock that was ahead');
      await stage.start();
      await stage.pass('it is sent', 0, () => taken().length === 1);
      await stage.processors.clock.set(-3 * HOUR);
      await stage.queue('by the right clock');
      await stage.pass('it is sent', SECOND, () => taken().length === 2);
    });
  });

  describe('for one number', () => {
    it('slows down as a whole when the channel requests it', async () => {
      let requested = false;
      stage.play = ({ messageId }) => {
        if (messageId !== 'a' || requested) return undefined;
        requested = true;
        return refusal('130429', true, 30 * SECOND);
      };
      await stage.queue('a', 'one');
      await stage.start();
      await stage.pass('the channel has refused', 1, () => stage.sent.length === 1);
      const begin = stage.sent[0]!.at;
      for (const name of ['two', 'three', 'four']) await stage.queue(`in ${name}`, name);
      await stage.pass('all are sent', SECOND, () => taken().length === 4);
      for (const { at } of taken()) expect(at - begin).to.be.at.least(30 * SECOND);
    });

    it('retries rejected credentials for a quarter of an hour, then reports the failure to the agent', async () => {
      stage.play = () => refusal('190', false);
      const begin = stage.processors.clock.now();
      await stage.queue('a');
      await stage.start();
      await stage.pass('it has failed', SECOND, async () => (await stage.fate('a'))?.type === 'MessageFailed');
      expect(stage.sent.at(-1)!.at - begin).to.be.within(13 * 60 * SECOND, 15 * 60 * SECOND);
      expect((await stage.fate('a'))?.data.errorCode).to.equal('190');
      expect((await stage.fate('a'))?.data.reason).to.match(/Connect the number again/);
    });

    it('continues once the credentials work', async () => {
      let refused = 0;
      stage.play = () => (refused++ < 3 ? refusal('0', false) : undefined);
      await queueAll(['a', 'b']);
      await stage.start();
      await stage.pass('both are sent', SECOND, () => taken().length === 2);
      expect(taken().map(({ messageId }) => messageId)).to.deep.equal(['a', 'b']);
    });
  });

  it('gives up at once, with the reason, on errors that a retry cannot fix', async () => {
    const codes = ['131026', '131047', '131048', '131049', '130472', '131050', '130403', '132001', '132012', '132015'];
    stage.play = ({ messageId }) => refusal(messageId, false);
    for (const code of codes) await stage.queue(code, `chat ${code}`);
    await stage.start();
    for (const code of codes) {
      await stage.pass(
        `${code} has failed`,
        SECOND,
        async () => (await stage.fate(code, `chat ${code}`)) !== undefined,
      );
      const { type, data } = (await stage.fate(code, `chat ${code}`))!;
      expect([type, data.errorCode]).to.deep.equal(['MessageFailed', code]);
      expect(data.reason).to.not.match(/\(code/);
    }
    expect(stage.sent.map(({ messageId }) => messageId).sort()).to.deep.equal([...codes].sort());
  });

  it('waits for a status before it resends a message that the channel may have accepted', async () => {
    let answers = 0;
    stage.play = () => (answers++ === 0 ? refusal('timeout') : undefined);
    const begin = stage.processors.clock.now();
    await stage.queue('a');
    await stage.start();
    await stage.pass('it is sent', SECOND, () => taken().length === 1);
    expect(taken()[0]!.at - begin).to.be.at.least(10 * SECOND);
  });

  describe('with files', () => {
    const file = (name: string) =>
      [
        name,
        { name, mimeType: 'image/jpeg', size: 1, sha256: '', kind: 'image', contentId: name, source: 'upload' },
      ] as const;
    const photo = { type: 'image', fileId: 'shirt.jpg', mimeType: 'image/jpeg', text: 'This one' } as const;
    const stored = () => stage.files.set(...(file('shirt.jpg') as unknown as Parameters<OutboxStage['files']['set']>));

    it('uploads once, however often the message is retried', async () => {
      stored();
      stage.uploadTroubles.push(refusal('131016'));
      let refused = 0;
      stage.play = () => (refused++ < 3 ? refusal('131016') : undefined);
      await stage.queue('a', 'one', photo);
      await stage.start();
      await stage.pass('it is sent', SECOND, () => taken().length === 1);
      expect(stage.uploaded).to.deep.equal(['shirt.jpg']);
      expect(taken()[0]!.message.mediaIds).to.deep.equal({ 'shirt.jpg': 'media-1' });
    });

    it('uploads the file in a template’s header', async () => {
      stored();
      const components = [{ type: 'header', parameters: [{ type: 'image', media: { fileId: 'shirt.jpg' } }] }] as const;
      const template = { type: 'template', name: 'photo', language: 'en', body: [], text: '', components } as const;
      await stage.queue('a', 'one', template);
      await stage.start();
      await stage.pass('it is sent', SECOND, () => taken().length === 1);
      expect(taken()[0]!.message.mediaIds).to.deep.equal({ 'shirt.jpg': 'media-1' });
    });

    it('fails a message whose file is missing', async () => {
      await stage.queue('a', 'one', photo);
      await stage.start();
      await stage.pass('it has failed', SECOND, async () => (await stage.fate('a')) !== undefined);
      expect((await stage.fate('a'))?.data).to.include({ errorCode: 'file_missing' });
      expect(stage.sent).to.deep.equal([]);
    });
  });

  it('names the message that is replied to, also one that was just sent', async () => {
    await stage.queue('a');
    await stage.queue('b', 'one', undefined, { replyToMessageId: 'a' });
    await stage.start();
    await stage.pass('both are sent', 10, () => taken().length === 2);
    expect(taken()[1]!.message.repliesTo).to.equal('wamid.a.1');
  });

  it('keeps each conversation’s order and sends each message once, for any behaviour of the channel', async () => {
    const outcome = fc.constantFrom(undefined, undefined, '131016', '131056', '130429', '4', '131026', '131047');
    const plan = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.array(outcome, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 12,
    });
    const FINAL = new Set(['131026', '131047']);
    await fc.assert(
      fc.asyncProperty(plan, fc.boolean(), async (messages, crashes) => {
        const own = await outboxStage();
        try {
          const outcomes = new Map(messages.map(([, codes], n) => [`m${n}`, [...codes]]));
          own.play = ({ messageId }) => {
            const code = outcomes.get(messageId)!.shift();
            return code === undefined ? undefined : refusal(code, !FINAL.has(code));
          };
          for (const [n, [name]] of messages.entries()) await own.queue(`m${n}`, name);
          const first = await own.start();
          if (crashes) {
            await own.pass('something has gone out', 10, () => own.sent.length > 0);
            await own.processors.clock.advance(1);
            first.crash();
            await own.start();
          }
          const settled = async () =>
            (await Promise.all(messages.map(([name], n) => own.fate(`m${n}`, name)))).every(Boolean);
          await own.pass('each has its fate', 2 * SECOND, settled);
          for (const name of ['x', 'y', 'z']) {
            const order = own.sent
              .filter(({ conversationOf }) => conversationOf === name)
              .map(({ messageId }) => messageId);
            const numbers = order.map((id) => Number(id.slice(1)));
            expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
          }
          const accepted = own.sent.filter(({ refused }) => !refused).map(({ messageId }) => messageId);
          expect(new Set(accepted).size).to.equal(accepted.length);
          expect(await own.processors.eventStore.head()).to.be.greaterThan(0);
        } finally {
          await own.close();
        }
      }),
      { numRuns: 12 },
    );
  });
});
