import { createHmac } from 'node:crypto';
import { customerOf } from '../../test/support/signedCart.js';
import { steadily } from '../support/load.js';
import { atLeast, atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, onStage, type Stage } from '../support/stage.js';
import { deliver } from './orders.js';

/** As the channel sends under load: several messages a call, each of another customer. */
const A_CALL = 20;
const PER_SECOND = 1_000;
const SECONDS = 15;
const CUSTOMERS = 3_000;
/** Of the calls, one in so many is watched until its first message can be read. */
const WATCHED = 5;

const textOf = (n: number): string => `Message ${n}: is the blue one still there?`;

/** One call of the channel's webhook, signed: `count` messages from number `from` on. */
export function messagesFrom({ demo }: Stage, from: number, count = A_CALL) {
  const numbers = Array.from({ length: count }, (_, i) => from + i);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: demo.channel.displayPhoneNumber,
      phone_number_id: demo.channel.phoneNumberId,
    },
    contacts: numbers.map((n) => ({ profile: { name: 'Hodan' }, wa_id: customerOf(n % CUSTOMERS) })),
    messages: numbers.map((n) => ({
      from: customerOf(n % CUSTOMERS),
      id: `wamid.inbound.${n}`,
      timestamp,
      type: 'text',
      text: { body: textOf(n) },
    })),
  };
  const entry = [{ id: '100200300400500', changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = createHmac('sha256', demo.channel.appSecret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } };
}

const send = (stage: Stage, from: number): Promise<void> => deliver(stage, messagesFrom(stage, from));

interface Listed {
  readonly conversations: { readonly id: string; readonly contact: { readonly phone: string } }[];
  readonly next?: string;
}

/** Conversations by the customer's phone. */
async function known(stage: Stage, inbox: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor = '';
  for (;;) {
    const answer = await stage.call('GET', `${inbox}?limit=200${cursor}`);
    mustBe('listConversations', answer.status === 200, answer.text.slice(0, 300));
    const { conversations, next } = JSON.parse(answer.text) as Listed;
    for (const { id, contact } of conversations) found.set(contact.phone, id);
    if (next === undefined) return found;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

/** ms from the beginning of a call until its first message can be read. */
async function untilListed(stage: Stage, path: string, from: number): Promise<number> {
  const started = performance.now();
  const delivered = send(stage, from);
  for (;;) {
    const { text } = await stage.call('GET', `${path}?limit=5`);
    const ms = performance.now() - started;
    if (text.includes(textOf(from))) {
      await delivered;
      return ms;
    }
    mustBe(`message ${from} listed in 10 s`, ms < 10_000, ms);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * 1,000 messages a second of 3,000 customers through the signed webhook, 20 a call, for 15 s. The first figure is messages
 * over the time until the last can be read; the second the time from a call's beginning until listMessages shows it.
 */
export const inbound = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const inbox = `/api/v1/workspaces/${stage.demo.store.workspaceId}/conversations`;
    await steadily(400 / A_CALL, CUSTOMERS / 400, (i) => send(stage, i * A_CALL));
    const ids = await known(stage, inbox);
    mustBe('conversations', ids.size === CUSTOMERS, ids.size);
    const path = (n: number): string => `${inbox}/${ids.get(`+${customerOf(n % CUSTOMERS)}`)}/messages`;
    const waits: number[] = [];
    const started = performance.now();
    await steadily(PER_SECOND / A_CALL, SECONDS, async (i) => {
      const from = CUSTOMERS + i * A_CALL;
      if (i % WATCHED === 0) waits.push(await untilListed(stage, path(from), from));
      else await send(stage, from);
    });
    const last = CUSTOMERS + PER_SECOND * SECONDS - 1;
    while (!(await stage.call('GET', `${path(last)}?limit=5`)).text.includes(textOf(last)))
      mustBe('all messages listed', performance.now() - started < 120_000, last);
    const perSecond = (PER_SECOND * SECONDS) / ((performance.now() - started) / 1000);
    return [
      atLeast('inbound messages, offered 1,000/s for 15 s', perSecond, 'messages/s', 980),
      atMost('message listed after its delivery, p99', spread(waits).p99, 'ms', 200),
    ];
  });
