/**
 * The code quoted by engine/README.md: a decider, a projection, a processor, and the parts around them. It is compiled,
 * linted and tested.
 */

// #region decider
import { type Aggregate, type DomainEvent, refuse } from '../../engine/index.js';

// Events: stored for ever ------------------------------------------------------------------------------------------
export type GiftCardEvent =
  | DomainEvent<'GiftCardIssued', { amountCents: number; email: string }>
  | DomainEvent<'GiftCardRedeemed', { orderId: string; amountCents: number }>;

// State: only what decisions need ----------------------------------------------------------------------------------
interface GiftCard {
  readonly balanceCents: number;
  readonly orders: readonly string[];
}

export const giftCard: Aggregate<GiftCard, GiftCardEvent> = {
  name: 'giftCard', // streams giftCard-{id}
  initial: () => ({ balanceCents: 0, orders: [] }),
  evolve(card, { type, data }) {
    switch (type) {
      case 'GiftCardIssued':
        return { ...card, balanceCents: data.amountCents };
      case 'GiftCardRedeemed':
        return { balanceCents: card.balanceCents - data.amountCents, orders: [...card.orders, data.orderId] };
    }
  },
};

// Decisions: pure; what changes nothing returns no events ----------------------------------------------------------
export const issue = (amountCents: number, email: string) => (): GiftCardEvent[] => [
  { type: 'GiftCardIssued', data: { amountCents, email } },
];

export const redeem =
  (orderId: string, amountCents: number) =>
  (card: GiftCard): GiftCardEvent[] => {
    if (card.orders.includes(orderId)) return [];
    if (amountCents > card.balanceCents) refuse('balance_too_low', `The card holds ${card.balanceCents} cents.`);
    return [{ type: 'GiftCardRedeemed', data: { orderId, amountCents } }];
  };

// #endregion

// #region projection
import { defineProjection } from '../../engine/index.js';

interface GiftCardBody {
  readonly balanceCents: number;
  readonly uses: number;
}

/** A document a card, listed by what is left on it. */
export const giftCards = defineProjection<GiftCardBody, GiftCardEvent>({
  name: 'giftCards',
  version: 1,
  categories: ['giftCard'],
  keys: { balanceCents: 'number' },
  indexes: [{ keys: ['-balanceCents'] }],
  on: {
    GiftCardIssued: (_, { data: { amountCents: balanceCents } }) => ({
      keys: { balanceCents },
      body: { balanceCents, uses: 0 },
    }),
    GiftCardRedeemed: (card, { data }) => {
      const balanceCents = card!.body.balanceCents - data.amountCents;
      return { keys: { balanceCents }, body: { balanceCents, uses: card!.body.uses + 1 } };
    },
  },
});

// #endregion

// #region processor
import { defineProcessor, type Outcome, type Task } from '../../engine/index.js';

export interface Mail {
  readonly to: string;
  readonly text: string;
}

/** Sends each new card to its owner, once the event is stored, again after a failure, and also after a crash. */
export const cardMails = (send: (mail: Mail, id: string) => Promise<void>) =>
  defineProcessor<GiftCardEvent>({
    name: 'cardMails',
    categories: ['giftCard'],
    on: {
      GiftCardIssued: ({ id, data }) => [
        { id, kind: 'mail', lane: data.email, payload: { to: data.email, text: `${data.amountCents} cents for you` } },
      ],
    },
    perform: {
      async mail({ id, payload }: Task<Mail>): Promise<Outcome> {
        await send(payload, id); // a throw means: again, with back-off
        return { done: true };
      },
    },
  });

// #endregion

// #region running
import {
  createCommandHandler,
  createProcessorRuntime,
  createProjectionRuntime,
  createReads,
  type DocumentStore,
  type EventStore,
  forgetfulSnapshots,
  silentLog,
  systemClock,
} from '../../engine/index.js';

/** `events`, `views` and `work` are any engines that keep the contracts of `ports/`; Suuq's are in `infrastructure/`. */
export async function run(
  events: EventStore,
  views: DocumentStore,
  work: DocumentStore,
  mail: (one: Mail) => Promise<void>,
) {
  const around = { eventStore: events, log: silentLog };
  const clock = systemClock;
  const commands = createCommandHandler({ ...around, clock, snapshots: forgetfulSnapshots });
  const reads = createReads(views);
  const projections = createProjectionRuntime({ ...around, readModels: views, projections: [giftCards] });
  const processors = createProcessorRuntime({ ...around, clock, work, processors: [cardMails(mail)], commands, reads });
  await projections.start();
  await processors.start();

  const by = (commandId: string) => ({ commandId, actor: { type: 'system' as const }, correlationId: commandId });
  await commands.decide(by('c1'), giftCard, 'g1', issue(50_00, 'asha@example.com'));
  const { position } = await commands.decide(by('c2'), giftCard, 'g1', redeem('o1', 20_00));
  await projections.waitFor(['giftCards'], position!, 5_000);
  const card = await reads.get(giftCards, 'g1'); // { balanceCents: 3000, uses: 1 }

  return { card, stop: () => Promise.all([projections.stop(), processors.stop()]) };
}
// #endregion
