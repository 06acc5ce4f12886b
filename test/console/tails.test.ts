/** Server-sent events to many tabs: serialized once, and written to a few tabs per turn of the event loop. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Subject } from 'rxjs';
import { createTails, type TailBatch, type Tails } from '../../api/console/tail.js';
import type { Exchange } from '../../api/http/exchange.js';

const TABS = 12;
const TABS_A_TURN = 5;

describe('event streams of many tabs', () => {
  let server: Server;
  let tails: Tails;
  const batches = new Subject<TailBatch>();
  const tabs: IncomingMessage[] = [];
  const responses: ServerResponse[] = [];
  /** Frames written in each turn of the event loop, while counting. */
  const written: number[] = [];
  before(async () => {
    tails = createTails();
    server = createServer((request, response) => {
      responses.push(response);
      tails.open({ request, response, headers: {} } as unknown as Exchange, batches, async () => true);
      const write = response.write.bind(response);
      response.write = (frame: string | Buffer) => {
        if (written.length > 0) written[written.length - 1]! += 1;
        return write(frame);
      };
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let i = 0; i < TABS; i++) {
      const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage];
      tabs.push(answer.setEncoding('utf8'));
    }
  });
  after(() => {
    tails.close();
    server.close();
    server.closeAllConnections();
  });

  /** Reads from a tab until the batch with this id has arrived, and returns the text from the batch on. */
  async function notify(tab: IncomingMessage, id: number): Promise<string> {
    let text = '';
    while (!text.includes(`id: ${id}\n`)) text += ((await once(tab, 'data')) as [string])[0];
    return text.slice(text.indexOf(`id: ${id}\n`));
  }

  it('start nothing for a browser that left during the session check', async () => {
    const own = createTails();
    const quiet = new Subject<TailBatch>();
    let opened: () => void = () => undefined;
    const isOpened = new Promise<void>((resolve) => (opened = resolve));
    const other = createServer(async (request, response) => {
      requested.destroy();
      await once(response, 'close');
      own.open({ request, response, headers: {} } as unknown as Exchange, quiet, async () => true);
      opened();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const requested = get({ host: '127.0.0.1', port: (other.address() as AddressInfo).port, agent: false });
    requested.on('error', () => undefined);
    await isOpened;
    expect(quiet.observed).to.equal(false);
    own.close();
    other.close();
  });

  it('build each batch once for all', async () => {
    let made = 0;
    const all = Promise.all(tabs.map((tab) => notify(tab, 1)));
    const body = async (left: number): Promise<object> => {
      made += 1;
      return { said: 'حمدي', left };
    };
    batches.next({ id: 1, count: 1, left: 7, body });
    expect([...new Set(await all)]).to.deep.equal(['id: 1\ndata: {"said":"حمدي","left":7}\n\n']);
    expect(made).to.equal(1);
  });

  it('are written a few at a time, yielding in between', async () => {
    let isOver = false;
    const turn = (): void => {
      written.push(0);
      if (!isOver) setImmediate(turn);
    };
    turn();
    const all = Promise.all(tabs.map((tab) => notify(tab, 2)));
    batches.next({ id: 2, count: 1, left: 0, body: async () => ({}) });
    await all;
    isOver = true;
    expect(written.reduce((sum, one) => sum + one)).to.equal(TABS);
    expect(Math.max(...written)).to.be.within(1, TABS_A_TURN);
  });

  it('write nothing to a tab closed while its batch is built', async () => {
    const failures: unknown[] = [];
    const ended = tabs.map((tab) => once(tab.resume(), 'end'));
    let made: (body: object) => void = () => undefined;
    batches.next({ id: 3, count: 1, left: 0, body: () => new Promise((resolve) => (made = resolve)) });
    for (const response of responses) response.on('error', (error) => failures.push(error));
    // Exceeds the connection's buffer, so an ended response closes only once the tab has read it.
    responses[0]!.write(Buffer.alloc(8_000_000));
    tails.close();
    expect(batches.observed).to.equal(false);
    made({});
    await Promise.all(ended);
    expect(failures).to.deep.equal([]);
  });
});
