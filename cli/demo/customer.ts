import { Client, check, expect } from './client.js';
import { eventually } from './stage.js';

export interface Received {
  readonly wamid: string;
  readonly type: string;
  readonly text?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
  readonly file?: { readonly url: string };
  readonly flow?: { readonly token: string };
}

/** While the service is unavailable the sandbox repeats a delivery, as the channel does. */
function webhookTook(what: string, webhook: { readonly status: number } | undefined): void {
  check(`the channel's webhook took ${what}`, webhook?.status === 200 || webhook?.status === 503, webhook);
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
    this.#path = `/sandbox/numbers/${phoneNumberId}/customers/${phone}`;
  }

  /** Anything that the sandbox takes; answers the channel's id of the message. */
  async send(body: object): Promise<string> {
    const sent = await this.#sandbox.post(`${this.#path}/messages`, { name: this.name, ...body });
    expect(`the sandbox took ${this.name}'s message`, sent.status, 200);
    webhookTook(`${this.name}'s message`, sent.body.webhook);
    return sent.body.wamid;
  }

  /** Calls, and hangs up when nobody answers. */
  async calls(): Promise<void> {
    const called = await this.#sandbox.post(`${this.#path}/calls`, { name: this.name });
    webhookTook(`${this.name}'s call`, called.body.webhook);
  }

  /** The bytes of a file that was received. */
  async opens({ file }: Received): Promise<Buffer> {
    return (await this.#sandbox.bytes(file?.url ?? '/')).bytes;
  }

  sendCart = (items: readonly { retailerId: string; quantity: number }[]): Promise<string> =>
    this.send({ cart: { items } });

  checkOut = (flowToken: string, answers: object): Promise<string> =>
    this.send({ checkout: { flowToken, ...answers } });

  /** Waits until `count` messages more have come, and answers them. */
  async reads(what: string, count: number): Promise<readonly Received[]> {
    const requested = this.#read + count;
    const messages = await eventually(
      `${this.name} gets ${what}`,
      async () => (await this.#sandbox.get(`${this.#path}/messages`)).body.messages as Received[],
      (all) => all.length >= requested,
    );
    const news = messages.slice(this.#read, requested);
    this.#read = requested;
    return news;
  }

  async checkoutForm(): Promise<{ text: string; token: string }> {
    const [summary] = await this.reads('the summary with the checkout form', 1);
    check('the summary opens a form', summary?.flow !== undefined, summary);
    return { text: summary?.text ?? '', token: summary?.flow?.token ?? '' };
  }
}
