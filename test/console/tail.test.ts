/** The live tail over HTTP: server-sent events from a browser's last position, limited by permissions. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import {
  type Browser,
  type ConsoleStage,
  OTHER,
  openConsoleStage,
  SHOP,
  signedIn,
} from '../support/stages/consoleStage.js';

interface Message {
  readonly id: number;
  readonly events: readonly { readonly position: number; readonly workspaceId: string; readonly summary: string }[];
  readonly left: number;
}

/** One tab, and the messages that it has received. */
class Tab {
  readonly messages: Message[] = [];
  readonly ended: Promise<void>;
  readonly #request: ClientRequest;
  #changed: () => void = () => undefined;

  private constructor(request: ClientRequest, answer: IncomingMessage) {
    this.#request = request;
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const [, id, data] = /^id: (\d+)\ndata: (.+)$/.exec(part) ?? [];
        if (data !== undefined) this.messages.push({ id: Number(id), ...JSON.parse(data) });
      }
      this.#changed();
    });
    this.ended = new Promise((resolve) => answer.once('close', resolve));
  }

  static open(
    stage: ConsoleStage,
    { cookie }: Browser,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<Tab> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${stage.consoleUrl}/api/tail${query}`,
        { headers: { cookie, ...headers } },
        (answer) => {
          expect([answer.statusCode, answer.headers['content-type']]).to.deep.equal([
            200,
            'text/event-stream; charset=utf-8',
          ]);
          resolve(new Tab(request, answer));
        },
      );
      // A server that closes may drop the connection.
      request.on('error', reject).end();
    });
  }

  /** Resolves with the received positions once there are at least `count`. */
  async seen(count: number): Promise<number[]> {
    for (;;) {
      const all = this.messages.flatMap(({ events }) => events.map(({ position }) => position));
      if (all.length >= count) return all;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  close(): void {
    this.#request.destroy();
  }
}

describe('the event stream of the console', () => {
  const on = signedIn();

  it('sends events, to store members only those of their store', async () => {
    const query = '?type=OrderSummarySent';
    const since = await on.stage.eventStore.head();
    const all = await Tab.open(on.stage, on.operator, `${query}&since=${since}`);
    const own = await Tab.open(on.stage, on.shop, `${query}&since=${since}&workspace=${OTHER}`);
    const other = await on.stage.moveOn(OTHER);
    const mine = await on.stage.moveOn(SHOP);
    expect(await all.seen(2)).to.deep.equal([other, mine]);
    expect(await own.seen(1)).to.deep.equal([mine]);
    expect(own.messages[0]!.events[0]).to.include({ workspaceId: SHOP });
    all.close();
    own.close();
  });

  it("continues from the browser's last event, without gaps or duplicates", async () => {
    const first = await Tab.open(
      on.stage,
      on.operator,
      `?type=OrderSummarySent&since=${await on.stage.eventStore.head()}`,
    );
    const seen = [await on.stage.moveOn(SHOP)];
    await first.seen(1);
    const { id } = first.messages[0]!;
    first.close();
    seen.push(await on.stage.moveOn(SHOP), await on.stage.moveOn(OTHER));
    const second = await Tab.open(on.stage, on.operator, '?type=OrderSummarySent', { 'last-event-id': String(id) });
    seen.push(await on.stage.moveOn(SHOP));
    expect(await second.seen(3)).to.deep.equal(seen.slice(1));
    second.close();
  });

  it('records that an auditor follows the log', async () => {
    const auditor = await on.stage.signIn({ role: 'auditor' });
    const tab = await Tab.open(on.stage, auditor, '?area=orders');
    const reads = await on.stage.eventStore.readStream(`consoleReads-${auditor.sessionId}`);
    expect(reads.map(({ data }) => data)).to.deep.equal([
      { operation: 'console.tail', path: '/console/api/tail?area=orders', role: 'auditor' },
    ]);
    tab.close();
  });

  it('does not prevent a server from closing', async () => {
    const closing = await openConsoleStage();
    const tab = await Tab.open(closing, await closing.signIn({ role: 'operator' }));
    const began = performance.now();
    await Promise.all([closing.close(), tab.ended]);
    expect(performance.now() - began).to.be.below(5000);
  });
});
