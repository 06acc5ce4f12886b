import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { eventsOfType } from './eventsOfType.js';
import type { Invariant } from './invariant.js';

interface Offered {
  readonly token: string;
  readonly totals: { readonly totalCents: number };
  readonly areas: readonly { readonly totalCents: number }[];
}

/** Totals that a form showed, in cents. */
interface Shown {
  readonly pickup: number;
  readonly delivery: number;
}

/** Compares the totals on the forms of one order with the amounts requested. */
class Forms {
  readonly wrong: string[] = [];
  readonly #shown = new Map<string, Shown>();
  #last: Shown | undefined;
  #due: number | undefined;
  readonly #order: string;
  readonly #tokenOf: ReadonlyMap<string, string>;

  constructor(order: string, tokenOf: ReadonlyMap<string, string>) {
    this.#order = order;
    this.#tokenOf = tokenOf;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the data of any event
  see({ type, data }: { readonly type: string; readonly data: any }): void {
    switch (type) {
      case 'OrderCheckoutOffered': {
        const { token, totals, areas } = data as Offered;
        const delivery = Math.max(0, ...areas.map(({ totalCents }) => totalCents));
        this.#last = { pickup: totals.totalCents, delivery };
        this.#shown.set(token, this.#last);
        break;
      }
      case 'OrderCheckedOut': {
        const token = this.#tokenOf.get(data.messageId);
        const answered = token === undefined ? this.#last : this.#shown.get(token);
        this.#atMost(data.totals.totalCents, answered?.[data.fulfilment as keyof Shown]);
        this.#due = data.totals.totalCents;
        break;
      }
      case 'OrderPaymentOffered':
        this.#due = data.totalCents;
        break;
      case 'OrderPaymentRequested':
        this.#atMost(data.amountCents, this.#due ?? this.#last?.delivery);
        break;
    }
  }

  #atMost(cents: number, shown: number | undefined): void {
    if (!(cents <= (shown ?? -1)))
      this.wrong.push(`${this.#order} asks for ${cents} cents, the form that was answered showed ${shown}`);
  }
}

interface Reply {
  readonly messageId: string;
  readonly content: { readonly fields?: { readonly flow_token?: string } };
}

/** No payment exceeds the total on the answered form. */
export const formTotals: Invariant = ({ data, erased }) => {
  const tokens = eventsOfType<Reply>(data, 'MessageReceived')
    .filter(({ id }) => !erased.has(id))
    .map(({ data: { messageId, content } }) => [messageId, content.fields?.flow_token ?? ''] as const);
  const tokenOf = new Map(tokens);
  const orders = new Map<string, Forms>();
  for (const { id, stream, type, data: reported } of data.log.events as readonly RecordedEvent[]) {
    if (!stream.startsWith('order-') || erased.has(id)) continue;
    const forms = orders.get(stream) ?? new Forms(stream, tokenOf);
    orders.set(stream, forms);
    forms.see({ type, data: reported });
  }
  return [...orders.values()].flatMap(({ wrong }) => wrong);
};
