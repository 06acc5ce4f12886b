/** Stores with sealed customers on embedded engines, the code that forgets customers, and a clock that tests move. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idempotencyKeys } from '../../../api/http/idempotency/idempotency.js';
import type { PersonKeys } from '../../../application/ports/personKeys.js';
import type { PersonTexts } from '../../../application/ports/personTexts.js';
import { Forgetting, type ForgettingParts } from '../../../application/privacy/forgetting.js';
import { forgettings, type Noted } from '../../../application/privacy/forgettingNotes.js';
import { retentionProcessor } from '../../../application/privacy/retentionProcessor.js';
import { Retaining } from '../../../application/privacy/retentionWalks.js';
import { derivedId } from '../../../domain/ids.js';
import { DEFAULT_RULE, retention, setRetention } from '../../../domain/privacy/retention.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { EventStore, RecordedEvent } from '../../../engine/ports/eventStore.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedVault } from '../../../infrastructure/sqlite/personVault.js';
import { channelNumbers } from '../../../projections/channelNumbers.js';
import { conversationFiles } from '../../../projections/conversationFiles.js';
import { conversations } from '../../../projections/conversations.js';
import { customerActivity } from '../../../projections/customerActivity.js';
import { files } from '../../../projections/files.js';
import { members } from '../../../projections/members.js';
import { messages } from '../../../projections/messages.js';
import { numberListPhones, numberLists } from '../../../projections/numberLists.js';
import { orderRows } from '../../../projections/orders.js';
import { retentionRules } from '../../../projections/retentionRules.js';
import { sessionStores, sessions } from '../../../projections/sessions.js';
import { stores } from '../../../projections/stores.js';
import { storedEvents } from '../../../service/composition/events.js';
import { commandsOf } from '../../../service/composition/privacy/erasureWatch.js';
import { personKeys } from '../../../service/composition/privacy/personKeys.js';
import { personTexts } from '../../../service/composition/privacy/personTexts.js';
import { sealingAs, sealingOf } from '../../../service/composition/privacy/vaults.js';
import { type FakeClock, fakeClock } from '../doubles/fakeClock.js';
import { openStage, type Stage } from '../stages/stage.js';

export const DAY = 24 * 3_600_000;
const NAMES = [conversations, conversationFiles, messages, customerActivity, files, orderRows, numberListPhones];
const STAFF = [members, stores, sessions, sessionStores];
const PROJECTIONS = [...NAMES, ...STAFF, channelNumbers, numberLists, retentionRules];
const owner = { email: 'owner@shops.example', name: 'Owner' };
const totals = { subtotalCents: 1200, discountCents: 0, deliveryFeeCents: 0, totalCents: 1200 };

export interface ForgettingStage {
  readonly stage: Stage;
  readonly clock: FakeClock;
  /** The log as stored. */
  readonly raw: EventStore;
  readonly people: PersonKeys;
  readonly texts: PersonTexts;
  /** Returns the texts of a process that has just started. */
  anotherTexts(): PersonTexts;
  readonly forgetting: Forgetting;
  readonly retaining: Retaining;
  /** Returns the forgetting of another process, such as one started after a crash or one with failing parts. */
  another(other?: Partial<Pick<ForgettingParts, 'people' | 'projections' | 'alone'>>): Forgetting;
  store(workspaceId: string): Promise<void>;
  rule(days: number | 'forever', of?: string): Promise<void>;
  happens(workspaceId: string, stream: string, type: string, data: object): Promise<void>;
  /** Records the first message of a customer and returns the conversation's stream. */
  writes(workspaceId: string, customer: { phone?: string; userId?: string }, text?: string): Promise<string>;
  /** Places an order from a phone and returns its stream. */
  orders(workspaceId: string, customerPhone: string): Promise<string>;
  moved(workspaceId: string, order: string, from: string, to: string): Promise<void>;
  /** Starts the processor of the retention rules. */
  start(other?: { readonly clock: Clock }): Promise<void>;
  /** Returns the events recorded about forgotten customers. */
  forgotten(): Promise<readonly RecordedEvent[]>;
  /** Returns for each of these values whether the store still knows it. */
  known(workspaceId: string, ...values: readonly string[]): Promise<boolean[]>;
  underWay(): Promise<number>;
  close(): Promise<void>;
}

export async function forgettingStage(): Promise<ForgettingStage> {
  const clock = fakeClock();
  const folder = mkdtempSync(join(tmpdir(), 'suuq-retention-'));
  const raw = await openEmbeddedEventStore(folder, { writesHere: true });
  const vault = openEmbeddedVault(join(folder, 'vault.db'));
  const box = createSecretBox(Buffer.alloc(32, 7));
  const sealing = sealingOf(vault, box, { file: join(folder, 'vault.db') }, storedEvents);
  const eventStore = sealingAs({ seal: true }, raw, sealing);
  const stage = await openStage('retention', { clock, eventStore, projections: PROJECTIONS });
  const { work, commands, reads, projections } = stage;
  await work.open(idempotencyKeys);
  const forgetsCommands = { forget: () => (commands as { forget?(): void }).forget?.() };
  const people = personKeys({
    ...{ log: raw, vault, box, sealing, work, clock, snapshots: {}, commands: forgetsCommands, othersWithinMs: 0 },
  });
  const textsOf = (of: typeof sealing): PersonTexts =>
    personTexts({ log: raw, sealing: of, projections, forgetting: () => forgetting.isUnderWay() });
  const texts = textsOf(sealing);
  const parts = {
    ...{ people, reads, work, clock, projections, log: eventStore, secretBox: box, alone: true },
    isForgotten: texts.isForgotten,
  };
  const names = NAMES.map(({ name }) => name);
  const another: ForgettingStage['another'] = (other) =>
    new Forgetting({
      ...parts,
      names,
      staffNames: STAFF.map(({ name }) => name),
      commands: commandsOf(commands),
      ...other,
    });
  const forgetting = another();
  const retaining = new Retaining({ reads, commands, people, forgetting, work, clock });
  let orderNumber = 0;

  const happens: ForgettingStage['happens'] = async (workspaceId, stream, type, data) => {
    const at = new Date(clock.now()).toISOString();
    const meta = { at, actor: { type: 'system' as const }, correlationId: 'test', causationId: 'test', workspaceId };
    await eventStore.append(stream, 'any', [{ id: randomUUID(), type, data, meta: meta as never }]);
  };
  const received = (customer: object, text: string): object => ({
    ...{ messageId: randomUUID(), channelMessageId: randomUUID(), sentAt: new Date(clock.now()).toISOString() },
    ...{ content: { type: 'text', text }, customer },
  });

  return {
    anotherTexts: () => textsOf(sealingOf(vault, box, { file: join(folder, 'vault.db') }, storedEvents)),
    ...{ stage, clock, raw, people, texts, forgetting, retaining, another, happens },
    async store(workspaceId) {
      const about = { country: 'SO', timezone: 'Africa/Mogadishu', locale: 'en', planKey: 'growth' };
      await happens(workspaceId, `store-${workspaceId}`, 'StoreCreated', { name: workspaceId, owner, ...about });
    },
    async rule(days, of = DEFAULT_RULE) {
      const by = { commandId: randomUUID(), actor: { type: 'system' as const }, correlationId: 'test' };
      await commands.decide(by, retention, of, setRetention(days));
    },
    async writes(workspaceId, customer, text = 'Is the shop open?') {
      const stream = `conversation-${randomUUID()}`;
      await happens(workspaceId, stream, 'ConversationStarted', {
        ...{
          numberId: derivedId('number', workspaceId),
          customer,
          contact: { contactId: randomUUID(), language: 'en' },
        },
      });
      await happens(workspaceId, stream, 'MessageReceived', received(customer, text));
      return stream;
    },
    async orders(workspaceId, customerPhone) {
      const stream = `order-${randomUUID()}`;
      orderNumber += 1;
      const placed = { number: orderNumber, lines: [], totals, currency: 'USD', customerPhone };
      await happens(workspaceId, stream, 'OrderPlaced', placed);
      return stream;
    },
    moved: (workspaceId, order, from, to) => happens(workspaceId, order, 'OrderStatusChanged', { from, to }),
    async start(other?: { readonly clock: Clock }) {
      await stage.start([retentionProcessor({ retaining, caughtUp: () => stage.shown() })], other);
    },
    async forgotten() {
      const { events } = await eventStore.readAll(-1, { filter: { categories: ['person'] }, limit: 500 });
      return events;
    },
    known: (workspaceId, ...values) =>
      Promise.all(values.map(async (value) => (await people.everyone(workspaceId, value)).length > 0)),
    async underWay() {
      await work.open(forgettings);
      const notes = await work.find<Noted>(forgettings.name, { limit: 100 });
      return notes.filter(({ body }) => body.stage !== 'rebuilding').length;
    },
    async close() {
      await stage.close();
      await raw.close();
      await vault.close();
      rmSync(folder, { recursive: true });
    },
  };
}
