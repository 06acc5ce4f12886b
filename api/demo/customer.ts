import { Client, expect, holds } from './client.js';
import { eventually } from './stage.js';

interface Received {
  readonly type: string;
  readonly text?: string;
  readonly flow?: { readonly token: string };
}

/** A customer on the channel, acted through the sandbox: what they send reaches the service as the channel's own webhook. */
export class Customer {
  readonly name: string;
  readonly #sandbox: Client;
  readonly #path: string;
  #read = 0;

  constructor(sandboxUrl: string, phoneNumberId: string, phone: string, name: string) {
    this.name = name;
    this.#sandbox = new Client(sandboxUrl);
    this.#path = `/sandbox/numbers/${phoneNumberId}/customers/${phone}/messages`;
  }

  async #send(body: object): Promise<void> {
    const sent = await this.#sandbox.post(this.#path, { name: this.name, ...body });
    expect(`the channel's webhook took ${this.name}'s message`, [sent.status, sent.body.webhook?.status], [200, 200]);
  }

  sendCart = (items: readonly { retailerId: string; quantity: number }[]): Promise<void> =>
    this.#send({ cart: { items } });

  checkOut = (flowToken: string, answers: object): Promise<void> => this.#send({ checkout: { flowToken, ...answers } });

  /** Waits until `count` messages more have come, and answers them. */
  async reads(what: string, count: number): Promise<readonly Received[]> {
    const wanted = this.#read + count;
    const messages = await eventually(
      `${this.name} gets ${what}`,
      async () => (await this.#sandbox.get(this.#path)).body.messages as Received[],
      (all) => all.length >= wanted,
    );
    const news = messages.slice(this.#read, wanted);
    this.#read = wanted;
    return news;
  }

  async checkoutForm(): Promise<{ text: string; token: string }> {
    const [summary] = await this.reads('the summary with the checkout form', 1);
    holds('the summary opens a form', summary?.flow !== undefined, summary);
    return { text: summary?.text ?? '', token: summary?.flow?.token ?? '' };
  }
}
