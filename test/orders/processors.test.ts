/** Processors of orders: messages to customers, and release of promotion uses. */
import { OUTSIDE_WINDOW, type StatusTemplates } from '../../application/orders/customerNotices.js';
import { confirmation } from '../../application/orders/customerTexts.js';
import type { OrderDependencies } from '../../application/orders/orderDependencies.js';
import { orderIntake } from '../../application/orders/orderIntake.js';
import { orderMessages } from '../../application/orders/orderMessages.js';
import { payerQuestion } from '../../application/payments/payerConfirmation.js';
import { confirmOnPhone } from '../../application/payments/paymentMessages.js';
import { releaseUses } from '../../application/promotions/releaseUses.js';
import { text } from '../../application/texts/texts.js';
import type { PlacedOrder } from '../../domain/orders/order.js';
import type { OrderStatus } from '../../domain/orders/orderEvents.js';
import { definitionOf } from '../../domain/promotions/promotionDefinition.js';
import { type Given, minute } from '../support/spec/givenEvents.js';
import { processorSpec } from '../support/spec/processorSpec.js';

const SHOP = '00000000-0000-4000-8000-000000000001';
const CHAT = '00000000-0000-4000-8000-0000000000c1';
const inShop = { meta: { workspaceId: SHOP } };
const HOUR = 3_600_000;
const customer = { phone: '+252615550101', name: 'Asha' };

const placed: Given = {
  stream: 'order-o1',
  type: 'OrderPlaced',
  data: {
    number: 7,
    lines: [{ productExternalId: 'shirt', retailerId: 'shirt', name: 'Shirt', quantity: 1, unitPriceCents: 12_00 }],
    totals: { subtotalCents: 12_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 12_00 },
    currency: 'USD',
    customerPhone: customer.phone,
    conversationId: CHAT,
  },
};
const moved = (from: OrderStatus, to: OrderStatus): Given => ({
  stream: 'order-o1',
  type: 'OrderStatusChanged',
  data: { from, to },
});

describe('promotion redemptions of a cancelled order', () => {
  // #region processor
  const spec = processorSpec<object>(() => releaseUses(), inShop);
  const given = (...more: Given[]) =>
    spec.given(placed, claimed('p1', 'p2'), created('p1'), created('p2'), used('p1'), ...more);

  it('are all released if the order was not paid', async () => {
    const cancelled = given(used('p2'), moved('new', 'cancelled'));
    await cancelled.then([{ kind: 'used' }, { kind: 'used' }, { kind: 'cancelled', lane: 'o1' }]);
    await cancelled.when('cancelled').then({ effects: [], events: [givenBack('p1'), givenBack('p2')] });
  });
  // #endregion

  it('are kept if the order was paid', () =>
    given(
      moved('new', 'awaiting_payment'),
      moved('awaiting_payment', 'paid'),
      moved('paid', 'cancelled'),
      moved('cancelled', 'refunded'),
    )
      .when('cancelled')
      .then({ effects: [], events: [] }));

  it('are released also if they come after the cancellation', () =>
    spec
      .given(placed, created('p1'), moved('new', 'cancelled'), used('p1'))
      .when('used')
      .then({ effects: [], events: [givenBack('p1')] }));

  it('are kept while the order is not cancelled', () => given().when('used').then({ events: [] }));
});

function created(id: string): Given {
  const definition = definitionOf({ name: 'Eid', kind: 'coupon', code: id, percentOff: 10 });
  return { stream: `promotion-${id}`, type: 'PromotionCreated', data: { definition } };
}
function used(id: string): Given {
  return { stream: `promotion-${id}`, type: 'PromotionRedeemed', data: { orderId: 'o1', customer: customer.phone } };
}
const claimed = (...promotionIds: string[]): Given => ({
  stream: 'order-o1',
  type: 'OrderPromotionsClaimed',
  data: { promotionIds },
});
const givenBack = (id: string) => ({
  stream: `promotion-${id}`,
  type: 'RedemptionGivenBack',
  data: { orderId: 'o1', customer: customer.phone },
});

describe('messages about an order', () => {
  const template = { name: 'order_update', language: 'en_US' };
  const dependenciesOf = (statusTemplates: StatusTemplates, to: typeof customer | null): OrderDependencies => ({
    itemsOf: async () => new Map(),
    storeOf: async () => ({ locale: 'en', country: 'SO' }),
    takesOrders: async () => true,
    promotions: {} as never,
    takesPayments: false,
    statusTemplates,
    customerOf: async () => (to === null ? undefined : { numberId: 'n1', customer: to }),
  });
  const spec = (statusTemplates: StatusTemplates = {}, to: typeof customer | null = customer) =>
    processorSpec<object>(() => orderMessages(dependenciesOf(statusTemplates, to)), inShop);
  const intakeSpec = processorSpec<object>(() => orderIntake(dependenciesOf({}, customer)), inShop);
  /** Conversation whose customer wrote at the start of the specification. */
  const chat: Given[] = [
    { stream: `conversation-${CHAT}`, type: 'ConversationStarted', data: { numberId: 'n1', customer } },
    {
      stream: `conversation-${CHAT}`,
      type: 'MessageReceived',
      data: {
        messageId: 'm1',
        channelMessageId: 'wamid.1',
        sentAt: minute(0),
        content: { type: 'text', text: 'hi' },
        customer,
      },
    },
  ];
  const preparing = [...chat, placed, moved('new', 'preparing')];
  const message = text('en', 'orders.status.preparing', { number: 7 });

  it('are a summary when it is placed, and a notice for each status', () =>
    spec()
      .given(...preparing)
      .then([
        { kind: 'summary', lane: 'o1', payload: { orderId: 'o1', leftOut: [] } },
        { kind: 'notice', lane: 'o1', payload: { orderId: 'o1', status: 'preparing', workspaceId: SHOP } },
      ]));

  it('are not sent for an order without lines', () =>
    spec()
      .given({ ...placed, data: { ...placed.data, lines: [] } })
      .then([]));

  it('are texts within a day of the customer’s last message', () =>
    spec({ en: template })
      .given(...preparing)
      .when('notice', {}, { ms: 23 * HOUR })
      .then({ events: [queued({ type: 'text', text: message })] }));

  it('are not sent to an erased customer', () =>
    spec({}, null)
      .given(...preparing)
      .when('notice', {}, { ms: HOUR })
      .then({ events: [] }));

  it('are templates after a day', () =>
    spec({ en: template })
      .given(...preparing)
      .when('notice', {}, { ms: 25 * HOUR })
      .then({
        events: [queued({ type: 'template', ...template, text: message, body: [message] }, { template: true })],
      }));

  describe('for an order with a pending payment', () => {
    const { totals } = placed.data as unknown as PlacedOrder;
    const checkedOut = (more: object = {}): Given[] => [
      placed,
      ...chat,
      {
        stream: 'order-o1',
        type: 'OrderCheckedOut',
        data: {
          ...{ fulfilment: 'pickup', requestLocation: false, customerName: 'Asha', messageId: 'm1', payment: 'wallet' },
          totals,
        },
      },
      moved('new', 'awaiting_payment'),
      {
        stream: 'order-o1',
        type: 'OrderPaymentRequested',
        data: {
          ...{ attempt: 1, reference: 'o1.1', wallet: 'evc_plus', payer: customer.phone, amountCents: 12_00 },
          ...{ merchantId: 'M1', messageId: 'm1', ...more },
        },
      },
    ];
    const cancelled = [moved('awaiting_payment', 'cancelled')];
    const failed: Given[] = [
      { stream: 'order-o1', type: 'OrderPaymentFailed', data: { attempt: 1, reason: 'wrong_pin' } },
    ];
    const paid: Given[] = [
      {
        stream: 'order-o1',
        type: 'OrderPaid',
        data: { attempt: 1, transactionId: 't1', amountCents: 12_00, wallet: 'evc_plus' },
      },
      moved('awaiting_payment', 'paid'),
    ];
    const help = { kind: 'order_help', orderId: 'o1' };
    const requested = { reference: 'o1.1', amountCents: 12_00, wallet: 'evc_plus', payer: customer.phone } as const;
    const confirmed = (more: object = {}) =>
      confirmation('en', { number: 7, totals, competition: {}, pickupAddress: '', requestLocation: false, ...more });
    const queues = (content: object) => ({
      events: [{ stream: `conversation-${CHAT}`, type: 'MessageQueued', data: { content, purpose: help } }],
    });

    it('request confirmation of the payment, unless the order is cancelled or the attempt has ended', async () => {
      const first = checkedOut({ awaitsAnnouncement: true });
      const announced = { stream: 'order-o1', type: 'OrderPaymentAnnounced' };
      const toConfirm = confirmed({ payment: confirmOnPhone('en', requested) });
      for (const [history, content] of [
        [first, toConfirm],
        [[...first, ...cancelled], confirmed()],
        [[...first, ...failed], confirmed()],
        [[...first, ...paid], confirmed()],
      ] as const)
        await spec()
          .given(...history)
          .when('confirmation')
          .then({ events: [...queues(content).events, announced] });
    });

    it('request confirmation of the number, unless the order is cancelled or the attempt has ended', async () => {
      const other = checkedOut({ awaitsConfirmation: true });
      await spec()
        .given(...other)
        .when('confirmPayer')
        .then(queues(payerQuestion('en', requested)));
      for (const ended of [cancelled, failed, paid])
        await spec()
          .given(...other, ...ended)
          .when('confirmPayer')
          .then({ events: [] });
    });

    /** The customer's message, whose task is performed again after an attempt was started or confirmed by it. */
    const answered = (content: object): Given => ({
      stream: `conversation-${CHAT}`,
      type: 'MessageReceived',
      data: { messageId: 'm1', channelMessageId: 'wamid.2', sentAt: minute(0), content, customer },
    });
    const ORDER = '00000000-0000-4000-8000-0000000000a1';
    const ofOrder = (events: readonly Given[]): Given[] =>
      events.map((one) => (one.stream === 'order-o1' ? { ...one, stream: `order-${ORDER}` } : one));
    const tapped: Given = { stream: 'order-o1', type: 'OrderPaymentConfirmed', data: { attempt: 1, messageId: 'm1' } };
    const form = { type: 'flow_reply', fields: { flow_token: `${ORDER}.1` } };
    const tap = { type: 'choice', id: `payer:yes:${ORDER}.1`, title: 'Yes' };
    for (const [kind, what, history, content] of [
      ['pay', 'an answer that started an attempt', checkedOut(), form],
      ['payer', 'an answer that confirmed the number', [...checkedOut({ awaitsConfirmation: true }), tapped], tap],
    ] as const)
      it(`follow ${what} only while the attempt is open`, async () => {
        const message = { type: 'text', text: confirmOnPhone('en', requested) };
        const data = { content: message, purpose: { kind: 'order_help', orderId: ORDER } };
        const intake = (...ended: Given[]) =>
          intakeSpec.given(...ofOrder([...history, ...ended]), answered(content)).when(kind);
        await intake().then({ events: [{ stream: `conversation-${CHAT}`, type: 'MessageQueued', data }] });
        for (const ended of [cancelled, failed, paid]) await intake(...ended).then({ events: [] });
      });
  });

  it('are not sent after a day without a template in the store’s language, and the history records why', () =>
    spec({ ar: template })
      .given(...preparing)
      .when('notice', {}, { ms: 25 * HOUR })
      .then({
        events: [
          { stream: 'order-o1', type: 'CustomerNotNotified', data: { status: 'preparing', reason: OUTSIDE_WINDOW } },
        ],
      }));
});

function queued(content: object, more: object = {}) {
  const purpose = { kind: 'order_status', orderId: 'o1', status: 'preparing', ...more };
  return { stream: `conversation-${CHAT}`, type: 'MessageQueued', data: { content, purpose } };
}
