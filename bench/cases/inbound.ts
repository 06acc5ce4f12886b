import { createHmac } from 'node:crypto';
import { customerOf } from '../../harness/service/signedCart.js';
import { enough, enoughOf } from '../support/effort.js';
import { steadily } from '../support/load.js';
import { untilShown } from '../support/polling.js';
import { atLeast, type Figure, p99Within, unlessLate } from '../support/report.js';
import { mustBe, onStage, type Stage, until, within } from '../support/stage.js';
import { deliver } from './orders.js';

/** Messages a call: as the channel sends under load, each of another customer, and one by one. */
const A_CALL = 20;
const OFFERS: readonly { readonly aCall: number; readonly perSecond: number }[] = [
  { aCall: A_CALL, perSecond: 3_000 },
  { aCall: 1, perSecond: 1_000 },
];
const SECONDS = 15;
/** Share of the offered load: the last messages arrive as the time ends. */
const MOST_OF = 0.98;
const CUSTOMERS = 3_000;
const PATIENCE_S = 30;
/** One in so many messages begins a call that is watched until it can be read. */
const WATCHED = 100;
/** Nobody waits longer for one message, nor for the last of an offer. */
const LISTED_MS = 10_000;
const ALL_S = 120;

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

const send = (stage: Stage, from: number, count = A_CALL): Promise<void> =>
  deliver(stage, messagesFrom(stage, from, count));

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

/** ms from the beginning of a call until its first message can be read; `LISTED_MS` at least when it could not be by then. */
async function untilListed(stage: Stage, path: string, from: number, count: number): Promise<number> {
  const started = performance.now();
  const delivered = send(stage, from, count);
  const shows = async (): Promise<boolean> => (await stage.call('GET', `${path}?limit=5`)).text.includes(textOf(from));
  const ms = await untilShown({ started, everyMs: 5, limitMs: LISTED_MS }, shows);
  await delivered;
  return ms;
}

/**
 * Messages of 3,000 customers through the signed webhook for 15 s, 3,000 a second at 20 a call and 1,000 at one a call. The first figure
 * is messages over the time until the last can be read; the second the time from a call's beginning until listMessages shows it.
 */
export const inbound = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const inbox = `/api/v1/workspaces/${stage.demo.store.workspaceId}/conversations`;
    await steadily(400 / A_CALL, CUSTOMERS / 400, (i) => send(stage, i * A_CALL));
    let ids = new Map<string, string>();
    // What the channel was answered for is durable, and shown a moment later.
    await until('all conversations', PATIENCE_S, async () => {
      ids = await known(stage, inbox);
      return ids.size === CUSTOMERS;
    });
    const path = (n: number): string => `${inbox}/${ids.get(`+${customerOf(n % CUSTOMERS)}`)}/messages`;
    const figures: Figure[] = [];
    const seconds = enough(SECONDS);
    let before = CUSTOMERS;
    for (const { aCall, perSecond } of enoughOf(OFFERS)) {
      const waits: number[] = [];
      const total = perSecond * seconds;
      const started = performance.now();
      await steadily(perSecond / aCall, seconds, async (i) => {
        const from = before + i * aCall;
        if ((i * aCall) % WATCHED === 0) waits.push(await untilListed(stage, path(from), from, aCall));
        else await send(stage, from, aCall);
      });
      before += total;
      const last = before - 1;
      const isLast = async (): Promise<boolean> =>
        (await stage.call('GET', `${path(last)}?limit=5`)).text.includes(textOf(last));
      const isInTime = await within(ALL_S, isLast, 0);
      const reached = total / ((performance.now() - started) / 1000);
      const offered = `${aCall} a call, offered ${perSecond.toLocaleString('en')}/s for ${seconds} s`;
      figures.push(
        unlessLate(atLeast(`inbound messages, ${offered}`, reached, 'messages/s', perSecond * MOST_OF), isInTime),
        p99Within(`message listed after its delivery, ${aCall} a call, p99`, waits, LISTED_MS, 200),
      );
      if (!isInTime) break;
    }
    return figures;
  });
