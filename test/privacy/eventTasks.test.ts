/** Tasks from customer events: erased customer data does not return to the work store. */
import { expect } from 'chai';
import { mediaCopying } from '../../application/channel/mediaCopying.js';
import { outbox } from '../../application/channel/outbox.js';
import { routing } from '../../application/channel/routingProcessor.js';
import { orderIntake } from '../../application/orders/orderIntake.js';
import { orderMessages } from '../../application/orders/orderMessages.js';
import type { OutboundMessage } from '../../application/ports/channelMessages.js';
import type { PersonTexts } from '../../application/ports/personTexts.js';
import { eventTasks } from '../../application/privacy/eventTasks.js';
import { pagesOf } from '../../engine/collections.js';
import { silentLog } from '../../engine/ports/log.js';
import type { AnyProcessor } from '../../engine/processors/processor.js';
import { SAVE_MS } from '../../engine/processors/tasks/ledger.js';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';
import { NUMBER, noFiles, numbers } from '../support/stages/channelStage.js';

const SHOP = NUMBER.workspaceId;
const ASHA = '+252615550101';
const ANSWER = 'Yes, in blue for your daughter';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('tasks of a customer’s events', () => {
  let stage: ForgettingStage;
  let sent: OutboundMessage[];
  /** Runs during the call to the channel. */
  let duringSend: (signal: AbortSignal) => Promise<void>;
  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    sent = [];
    duringSend = async () => undefined;
  });
  afterEach(() => stage.close());

  const wrapped = (processor: AnyProcessor, { isForgotten }: PersonTexts = stage.texts): AnyProcessor =>
    eventTasks(processor, { log: stage.stage.eventStore, isForgotten });
  const sending = (texts = stage.texts) =>
    wrapped(
      outbox({
        channel: {
          async send(_, message, __, signal) {
            sent.push(message);
            await duringSend(signal!);
            return { channelMessageId: 'wamid.1' };
          },
        },
        ...{ ...noFiles, numbers, accessTokenOf: () => undefined, log: silentLog, count: () => undefined },
        isForgotten: (id) => texts.isForgotten(`conversation-${id}`),
      }),
      texts,
    );
  async function queued(): Promise<string> {
    const stream = await stage.writes(SHOP, { phone: ASHA });
    const message = { messageId: 'm1', numberId: NUMBER.numberId, to: { phone: ASHA } };
    await stage.happens(SHOP, stream, 'MessageQueued', { ...message, content: { type: 'text', text: ANSWER } });
    return stream;
  }
  async function stored(): Promise<string[]> {
    const texts: string[] = [];
    for await (const page of pagesOf(stage.stage.work, 'tasks_outbox')) texts.push(...page.map(({ json }) => json));
    return texts;
  }
  async function forget(): Promise<void> {
    await stage.stage.shown();
    const persons = await stage.people.everyone(SHOP, ASHA);
    await stage.forgetting.forget([{ workspaceId: SHOP, value: ASHA, persons }], commandsOf(stage.stage.commands));
  }

  it('do not restore erased data when they fail during the erasure', async () => {
    let hasFailed = false;
    duringSend = async () => {
      await forget();
      hasFailed = true;
      throw new Error('a fault');
    };
    await stage.stage.start([sending()]);
    const stream = await queued();
    await until('it failed', async () => {
      await stage.clock.advance(SAVE_MS / 10);
      return hasFailed && (await stored()).length === 1;
    });
    const [task] = await stored();
    expect(task).to.include('m1').and.not.to.include(ANSWER).and.not.to.include(ASHA.slice(1));
    await until('nothing is pending', async () => {
      await stage.clock.advance(SECOND);
      return (await stored()).length === 0;
    });
    expect(sent).to.have.lengthOf(1);
    const events = await stage.stage.eventStore.readStream(stream);
    expect(events.at(-1)).to.deep.include({ type: 'MessageFailed' });
    expect(events.at(-1)!.data).to.include({ errorCode: 'customer_forgotten' });
  });

  it('are performed for a customer who returned, and not for the erased one of the same conversation', async () => {
    const stream = await queued();
    await forget();
    const message = { messageId: 'm2', numberId: NUMBER.numberId, to: { phone: ASHA } };
    await stage.happens(SHOP, stream, 'MessageQueued', { ...message, content: { type: 'text', text: ANSWER } });
    await stage.stage.start([sending(stage.anotherTexts())]);
    const ended = async (): Promise<string[]> => {
      const events = await stage.stage.eventStore.readStream(stream);
      return events.map(({ type }) => type).filter((type) => /Accepted|Failed/.test(type));
    };
    await until('both are done', async () => {
      await stage.clock.advance(SECOND);
      return (await ended()).length === 2;
    });
    expect(sent.map(({ messageId, to }) => ({ messageId, to }))).to.deep.equal([
      { messageId: 'm2', to: { phone: ASHA } },
    ]);
    expect(await ended()).to.deep.equal(['MessageFailed', 'MessageAccepted']);
  });

  it('are performed with the data of the log, after another task has stored it', async () => {
    duringSend = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const first = await stage.stage.start([sending()]);
    await queued();
    await until('the channel is called', () => sent.length === 1);
    await stage.clock.advance(2 * SAVE_MS);
    await until('it is stored', async () => (await stored()).length === 1);
    expect((await stored())[0])
      .not.to.include(ANSWER)
      .and.not.to.include(ASHA.slice(1));
    await first.stop();
    duringSend = async () => undefined;
    await stage.stage.start([sending()]);
    await stage.clock.advance(MINUTE);
    await until('nothing is pending', async () => (await stored()).length === 0);
    const message = { to: { phone: ASHA }, content: { type: 'text', text: ANSWER } };
    expect(sent.map(({ to, content }) => ({ to, content }))).to.deep.equal([message, message]);
  });

  it('store only ids, times and counts, in every processor', async () => {
    const none = {} as never;
    const all = [
      sending(),
      ...[orderIntake(none), orderMessages(none), mediaCopying(none), routing(none)].map((one) => wrapped(one)),
    ];
    const customer = { phone: ASHA, name: 'Asha' };
    const reported = {
      ...{ messageId: 'm1', numberId: 'n1', to: customer, customer, channelMessageId: 'wamid.1', before: ASHA },
      ...{ key: ASHA, reason: 'same_customer', lines: [{}], leftOut: [{ name: ANSWER }], deliveryArea: ANSWER },
      content: {
        ...{ type: 'order', text: ANSWER, channelMediaId: ANSWER, filename: ANSWER, remark: ANSWER },
        items: [{ productRetailerId: ANSWER, quantity: 1 }],
      },
    };
    const meta = { at: new Date(stage.clock.now()).toISOString(), workspaceId: SHOP, correlationId: 'c' };
    let found = 0;
    for (const { name, on, stored: part } of all)
      for (const [type, handler] of Object.entries(on)) {
        const event = { id: 'e1', type, data: reported, meta, stream: 'conversation-c1', streamId: 'c1', revision: 3 };
        for (const { payload } of (await handler?.(event, none)) ?? []) {
          found += 1;
          const text = JSON.stringify(part!(payload as never));
          expect(text, `${name}: ${type}`).not.to.include(ANSWER).and.not.to.include(ASHA.slice(1));
          expect(text, `${name}: ${type}`).to.include('"revision":3').and.to.include(SHOP);
        }
      }
    expect(found).to.be.greaterThan(8);
  });
});
