/**
 * Sends an order's payments to the provider: charges them once, queries them until the outcome is known, and refunds those that are not
 * needed.
 */

import { randomUUID } from 'node:crypto';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { OrderEvent, OrderLine } from '../../domain/orders/orderEvents.js';
import {
  beginPayment,
  leaveUnconfirmed,
  paymentReference,
  recordPaid,
  recordPaymentFailed,
  recordRefunded,
  refundsDue,
} from '../../domain/orders/paymentDecisions.js';
import { type Payment, paymentOf } from '../../domain/orders/paymentState.js';
import { jittered, pause } from '../../engine/backOff.js';
import type { Log } from '../../engine/ports/log.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { FoundPayment, PaymentAccount, PaymentOutcome, PaymentProvider } from '../ports/paymentProvider.js';
import type { SecretBox } from '../ports/secretBox.js';
import { paymentAccount } from './paymentAccounts.js';
import { countPrompt } from './promptAllowance.js';

export interface PaymentsDependencies {
  /** Undefined if none is configured: nobody is charged, and pending payments wait. */
  readonly provider: PaymentProvider | undefined;
  readonly secretBox: SecretBox;
  /** Returns true if the store takes orders now, and has since `since` (ms), if given: see orders/orderAcceptance.ts. */
  readonly takesOrders: (workspaceId: string, since?: number) => Promise<boolean>;
  /** Returns true if the store currently sells all of these. */
  readonly sellsAll: (workspaceId: string, lines: readonly OrderLine[]) => Promise<boolean>;
  readonly log: Pick<Log, 'warn'>;
  /** Delay in ms between two queries of an unknown outcome. Tests shorten it. */
  readonly waitMs?: (tries: number) => number;
  /**
   * Time in ms after which a payment that the provider does not know was never accepted, and an outcome is not recorded any more. Tests
   * shorten it.
   */
  readonly unknownMs?: number;
}

interface About extends Cause {
  readonly orderId: string;
  /** Number of queries or attempts so far. */
  readonly tries: number;
}
interface Try extends About {
  readonly attempt: number;
  /** Response of the provider that could not be recorded yet. */
  readonly outcome?: PaymentOutcome;
}

/** A payment attempt of an order, and the performance of its task. */
interface Attempt {
  readonly task: Task<Try>;
  readonly context: ProcessorContext;
  readonly state: PlacedOrder;
  readonly payment: Payment;
}

const DONE: Outcome = { done: true };
const LONGEST_MS = 3_600_000;
/** A customer has five minutes for the PIN. Until then the provider may still accept a payment that it does not show yet. */
const NEVER_TAKEN_MS = 360_000;
/** Time in which the customer can confirm a number other than the chat's, in ms. */
const CONFIRM_WITHIN_MS = 1_800_000;
/** Delay between a failure to record an outcome and the retry. */
const RECORD_AGAIN_MS = 1_000;
/** Maximum attempts to reach the provider, and the delay between them. */
const CONNECTS = 3;
const CONNECT_AGAIN_MS = 1_000;
/** Number of customers who may be entering their PIN at the same time. */
const CONCURRENCY = 512;

/** Returns a delay of 2 s, doubling to an hour. */
const growing = (tries: number): number =>
  jittered(Math.min(LONGEST_MS, 2_000 * 2 ** Math.min(tries, 12)), Math.random());

const described = ({ number }: PlacedOrder): string => `Order no. ${number}`;

type PaymentEvent = { id: string; streamId: string; meta: Parameters<typeof causeOf>[0] };
const tasksOf = ({ id, streamId, meta }: PaymentEvent, kind: string, lane: string, more: object = {}): NewTask[] => {
  const cause = causeOf(meta);
  if (cause === undefined) return [];
  return [{ id, kind, lane, payload: { ...cause, orderId: streamId, tries: 0, ...more } }];
};
/** Charges an attempt of an order. */
const charging = (event: PaymentEvent, attempt: number): NewTask[] =>
  tasksOf(event, 'charge', paymentReference(event.streamId, attempt), { attempt });
/** Ends an attempt whose payer does not confirm in time. */
const waiting = (event: PaymentEvent & { meta: { at: string } }, attempt: number): NewTask[] => {
  const dueAt = Date.parse(event.meta.at) + CONFIRM_WITHIN_MS;
  const lane = `${paymentReference(event.streamId, attempt)}.unconfirmed`;
  return tasksOf(event, 'unconfirmed', lane, { attempt }).map((one) => ({ ...one, dueAt }));
};

/**
 * The order's history records the process that sends an attempt before it is sent. That process sends it once, even if it was interrupted
 * in between. Any other process, and the same one after a restart, only queries the outcome. Unneeded charges are refunded. A repeated
 * refund counts as done.
 *
 * The processor checks that the store takes orders before sending an attempt and, when the charge is known, that it has done so ever since:
 * a store may close while the customer enters the PIN, and be open again before the charge is known.
 */
class Payments {
  readonly #dependencies: PaymentsDependencies;
  /** Identifies this process in the log. */
  readonly #sender = randomUUID();
  /** References of attempts that this process has begun to send, until they have ended. */
  readonly #sent = new Set<string>();

  constructor(dependencies: PaymentsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Performs the next step of an attempt. It ends with the payment's outcome. */
  async charge(task: Task<Try>, context: ProcessorContext): Promise<Outcome> {
    const { attempt, outcome } = task.payload;
    const state = await this.#placed(task, context);
    const payment = state && paymentOf(state.payments, attempt);
    if (state === undefined || payment?.standing !== 'open') {
      this.#sent.delete(paymentReference(task.payload.orderId, attempt));
      return DONE;
    }
    if (outcome !== undefined) return this.#record(outcome, { payment, task, context });
    return this.#proceed({ state, payment, task, context });
  }

  /** Refunds the order's unneeded payments. */
  async giveBack(task: Task<About>, context: ProcessorContext): Promise<Outcome> {
    const { provider, log } = this.#dependencies;
    const { orderId } = task.payload;
    const state = await this.#placed(task, context);
    let left = 0;
    for (const payment of state === undefined ? [] : refundsDue(state)) {
      const { attempt, reference, transactionId = '' } = payment;
      const account = await this.#accountOf(payment, task.payload, context);
      const refund = { reference, transactionId, description: described(state!) };
      const outcome = account && (await provider?.refund(account, refund, context.signal));
      if (outcome?.state === 'refunded') {
        const by = { ...context.contextFor(task, task.payload), commandId: randomUUID() };
        await context.commands.decide(by, order, orderId, recordRefunded(attempt, outcome.refundId));
        continue;
      }
      left += 1;
      const code = outcome?.code ?? (account === undefined ? 'no_account' : 'no_provider');
      log.warn({ orderId, attempt, code }, 'payment refund failed, retrying');
    }
    return left === 0 ? DONE : this.#again(task, context);
  }

  /** Ends an attempt because the customer did not confirm a number other than the chat's. */
  async unconfirmed(task: Task<Try>, context: ProcessorContext): Promise<Outcome> {
    const { orderId, attempt } = task.payload;
    await context.commands.decide(context.contextFor(task, task.payload), order, orderId, leaveUnconfirmed(attempt));
    return DONE;
  }

  async #placed(task: Task<About>, { commands }: ProcessorContext): Promise<PlacedOrder | undefined> {
    const state = await commands.query(order, task.payload.orderId, (seen) => seen);
    return isPlaced(state) ? state : undefined;
  }

  #accountOf({ merchantId }: Payment, { workspaceId }: About, { commands }: ProcessorContext) {
    const { secretBox } = this.#dependencies;
    return paymentAccount({ commands, secretBox }, workspaceId, merchantId);
  }

  #again<P extends About>({ payload }: Task<P>, { clock }: ProcessorContext): Outcome {
    const { waitMs = growing } = this.#dependencies;
    return {
      again: { at: clock.now() + waitMs(payload.tries), payload: { ...payload, tries: payload.tries + 1 } },
    };
  }

  /** Sends the attempt. Retries only if the provider was certainly not reached. */
  async #send(account: PaymentAccount, { state, payment, context }: Attempt) {
    const { provider } = this.#dependencies;
    const { clock, signal } = context;
    const { reference, payer, amountCents } = payment;
    const charge = { reference, payer, amountCents, description: described(state) };
    for (let tries = 1; ; tries += 1) {
      const outcome = (await provider?.charge(account, charge, signal)) ?? { state: 'not_sent', code: 'no_provider' };
      if (outcome.state !== 'not_sent' || tries === CONNECTS) return outcome;
      await pause(clock.steady, CONNECT_AGAIN_MS * tries, signal);
      signal.throwIfAborted();
    }
  }

  /**
   * Returns the started attempt if this performance may send it. Each call is a new command: a repeated one could not show which call was
   * first.
   */
  async #begin({ task, context, state: before, payment }: Attempt): Promise<Payment | undefined> {
    const { takesOrders, sellsAll } = this.#dependencies;
    const { payload } = task;
    const { status, lines, conversationId: customer = payload.orderId } = before;
    const { reference, payer } = payment;
    const by = { ...context.contextFor(task, payload), commandId: randomUUID() };
    const storeOpen = await takesOrders(payload.workspaceId);
    const prompt = { reference, customer, payer };
    const isDue = storeOpen && status === 'awaiting_payment';
    const goodsGone = isDue && !(await sellsAll(payload.workspaceId, lines));
    const allowed = !isDue || goodsGone || (await countPrompt(context, by, payload.workspaceId, prompt));
    const decision = allowed
      ? beginPayment(payload.attempt, { storeOpen, goodsGone, sender: this.#sender })
      : recordPaymentFailed(payload.attempt, 'too_many');
    const { events } = await context.commands.decide(by, order, payload.orderId, decision);
    if (!events.some(({ type }) => type === 'OrderPaymentBegun')) return undefined;
    const state = await this.#placed(task, context);
    return state && paymentOf(state.payments, payload.attempt);
  }

  async #record(
    outcome: PaymentOutcome | FoundPayment,
    { payment, task, context }: Omit<Attempt, 'state'>,
  ): Promise<Outcome> {
    const { takesOrders, log, unknownMs = NEVER_TAKEN_MS } = this.#dependencies;
    const { orderId, workspaceId, attempt } = task.payload;
    const by = context.contextFor(task, task.payload);
    const decide = async (decision: ReturnType<typeof recordPaid>): Promise<Outcome> => {
      await context.commands.decide(by, order, orderId, decision);
      return DONE;
    };
    switch (outcome.state) {
      case 'approved':
        return decide(recordPaid(attempt, outcome.transactionId, await takesOrders(workspaceId, payment.begunAt)));
      case 'failed':
        return decide(recordPaymentFailed(attempt, outcome.reason, outcome.code));
      case 'not_sent':
        return decide(recordPaymentFailed(attempt, 'unavailable', outcome.code));
      case 'none':
        if (context.clock.now() - (payment.begunAt ?? 0) < unknownMs) return this.#again(task, context);
        return decide(recordPaymentFailed(attempt, 'no_answer'));
      case 'unknown':
        log.warn({ orderId, attempt, code: outcome.code }, 'payment outcome unknown, looking it up');
        return this.#again(task, context);
      case 'pending':
        return this.#again(task, context);
    }
  }

  /** Records an outcome while it still counts. If the task is lost with this instance's lease, no other copy of the outcome exists. */
  async #recordInTime(task: Task<Try>, context: ProcessorContext): Promise<void> {
    const { unknownMs = NEVER_TAKEN_MS } = this.#dependencies;
    const { steady } = context.clock;
    // The task's own signal is aborted when the lease ends.
    const goesOn = new AbortController().signal;
    for (const until = steady.now() + unknownMs; steady.now() < until; ) {
      await pause(steady, RECORD_AGAIN_MS, goesOn);
      try {
        await this.charge(task, context);
        return;
      } catch {
        // The first failure was logged.
      }
    }
  }

  /** Sends the attempt and records the outcome. An outcome that cannot be recorded now stays in the task, and in this process. */
  async #sendOnce(account: PaymentAccount, attempt: Attempt): Promise<Outcome> {
    const { log } = this.#dependencies;
    const { task, context } = attempt;
    this.#sent.add(attempt.payment.reference);
    const outcome = await this.#send(account, attempt);
    try {
      const recorded = await this.#record(outcome, attempt);
      if ('done' in recorded) this.#sent.delete(attempt.payment.reference);
      return recorded;
    } catch (error) {
      if (outcome.state === 'unknown') throw error;
      const { orderId, attempt: number } = task.payload;
      log.warn({ orderId, attempt: number, err: error }, 'payment outcome could not be recorded, retrying');
      const payload = { ...task.payload, outcome };
      void this.#recordInTime({ ...task, payload }, context);
      return { again: { at: context.clock.now() + RECORD_AGAIN_MS, payload } };
    }
  }

  /** Schedules a query of an attempt that this performance may not send, unless the decision has ended it. */
  async #settled(task: Task<Try>, context: ProcessorContext): Promise<Outcome> {
    const state = await this.#placed(task, context);
    const isOpen = state !== undefined && paymentOf(state.payments, task.payload.attempt)?.standing === 'open';
    return isOpen ? this.#again(task, context) : DONE;
  }

  /** Sends an attempt that has not ended, or queries it. */
  async #proceed(attempt: Attempt): Promise<Outcome> {
    const { provider } = this.#dependencies;
    const { payment, task, context } = attempt;
    const isStarted = payment.begunAt !== undefined;
    // The announcement, or the customer's confirmation of the number, will trigger the task again.
    if (!isStarted && !(payment.announced && payment.confirmed)) return DONE;
    const account = await this.#accountOf(payment, task.payload, context);
    if (account === undefined) {
      if (isStarted) return this.#again(task, context);
      return this.#record({ state: 'failed', reason: 'store_account' }, attempt);
    }
    if (!isStarted) {
      const started = await this.#begin(attempt);
      return started === undefined
        ? this.#settled(task, context)
        : this.#sendOnce(account, { ...attempt, payment: started });
    }
    // This process started it and was interrupted before it sent anything.
    if (payment.sender === this.#sender && !this.#sent.has(payment.reference)) return this.#sendOnce(account, attempt);
    const found = await provider?.find(account, payment.reference, context.signal);
    return this.#record(found ?? { state: 'unknown', code: 'no_provider' }, attempt);
  }
}

export function paymentsProcessor(dependencies: PaymentsDependencies): Processor<OrderEvent> {
  const payments = new Payments(dependencies);
  return defineProcessor<OrderEvent>({
    name: 'payments',
    categories: ['order'],
    derivable: ['OrderPaymentRequested', 'OrderPaymentAnnounced', 'OrderPaymentSurplus', 'OrderStatusChanged'],
    on: {
      OrderPaymentRequested(event) {
        const { attempt, awaitsAnnouncement, awaitsConfirmation } = event.data;
        if (awaitsConfirmation) return waiting(event, attempt);
        return awaitsAnnouncement ? [] : charging(event, attempt);
      },
      OrderPaymentConfirmed: (event) => charging(event, event.data.attempt),
      OrderPaymentAnnounced: (event) => charging(event, event.data.attempt),
      OrderPaymentSurplus: (event) => tasksOf(event, 'giveBack', event.streamId),
      OrderStatusChanged: (event) => (event.data.to === 'cancelled' ? tasksOf(event, 'giveBack', event.streamId) : []),
    },
    perform: {
      charge: (task: Task<Try>, context) => payments.charge(task, context),
      giveBack: (task: Task<About>, context) => payments.giveBack(task, context),
      unconfirmed: (task: Task<Try>, context) => payments.unconfirmed(task, context),
    },
    concurrency: CONCURRENCY,
  });
}
