/** The samples of the client's README, against the whole service. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  createClient,
  createUserToken,
  isProblem,
  openSession,
  SuuqConnectionError,
  verifyWebhook,
  type WebhookEvent,
  WebhookRefused,
} from '../../client/src/index.js';
import { PIXEL } from '../support/conformance/areas/files.js';
import { type ConformanceStage, conformanceStage } from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';

describe('the examples of the client', () => {
  let stage: ConformanceStage;
  let baseUrl: string;
  let secretKey: string;
  let workspaceId: string;
  before(async () => {
    stage = await conformanceStage();
    baseUrl = stage.baseUrl;
    secretKey = stage.main.key;
    workspaceId = stage.main.store.workspaceId;
    const shirt = { name: 'Shirt', imageUrls: ['https://shop.example.com/shirt.jpg'], priceCents: 1200 };
    await client().upsertProduct({ workspaceId, externalId: 'shirt', body: shirt });
  });
  after(() => stage.close());
  const client = () => createClient({ baseUrl, credential: secretKey });

  it('create a store and fill its catalog', async () => {
    // #region begin
    const suuq = createClient({ baseUrl, credential: secretKey });
    const store = await suuq.createPartnerStore({
      body: {
        externalRef: 'shop-7',
        name: 'Hodan Textiles',
        owner: { email: 'asha@example.com', name: 'Asha Warsame' },
        country: 'SO',
        timezone: 'Africa/Mogadishu',
        locale: 'so',
      },
    });
    const { result } = await suuq.upsertProduct({
      workspaceId: store.workspaceId,
      externalId: 'dirac-indigo',
      body: { name: 'Dirac, indigo', imageUrls: ['https://shop.example.com/dirac.jpg'], priceCents: 4500 },
    });
    // #endregion
    expect([store.externalRef, result]).to.deep.equal(['shop-7', 'created']);
    const again = {
      externalRef: 'shop-7',
      name: 'x',
      owner: store.owner,
      country: 'SO',
      timezone: 'UTC',
      locale: 'so',
    } as const;
    expect((await suuq.createPartnerStore.answer({ body: again })).status).to.equal(200);
  });

  it('iterate a list, page by page', async () => {
    const suuq = client();
    const products = [1, 2, 3].map((n) => ({
      externalId: `walk-${n}`,
      name: `Walk ${n}`,
      imageUrls: ['https://shop.example.com/walk.jpg'],
      priceCents: n,
    }));
    await suuq.upsertProducts({ workspaceId, body: { products } });
    // #region each
    let cents = 0;
    for await (const product of suuq.listProducts.each({ workspaceId, limit: 2 })) cents += product.priceCents;
    // #endregion
    expect(cents).to.equal(1206);
  });

  it('distinguish errors by their code', async () => {
    const suuq = client();
    const orderId = await stage.order();
    await suuq.cancelOrder({ workspaceId, orderId });
    let reported = '';
    // #region errors
    try {
      await suuq.setOrderStatus({ workspaceId, orderId, body: { status: 'preparing' } });
    } catch (error) {
      if (isProblem(error, 'order_status_not_allowed')) reported = error.detail;
      else if (isProblem(error)) throw new Error(`${error.code}, request ${error.requestId}`);
      else if (error instanceof SuuqConnectionError) reported = 'nobody knows: read the order';
      else throw error;
    }
    // #endregion
    expect(reported).to.include('cancelled');
  });

  it('perform an action once, however often it is retried', async () => {
    const suuq = client();
    // #region once
    const terms = { name: 'Opening week', kind: 'coupon', code: 'OPEN10', percentOff: 10 } as const;
    const first = await suuq.createPromotion({ workspaceId, body: terms }, { idempotencyKey: 'opening-week' });
    const second = await suuq.createPromotion({ workspaceId, body: terms }, { idempotencyKey: 'opening-week' });
    // #endregion
    expect(second.id).to.equal(first.id);
  });

  it('stream files in both directions', async () => {
    const suuq = client();
    const content = new Blob([PIXEL as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
    // #region files
    const { id } = await suuq.uploadFile({ workspaceId, file: { content, filename: 'dirac.png' } });
    const { mimeType, stream } = await suuq.getFile({ workspaceId, fileId: id });
    // #endregion
    expect(mimeType).to.equal('image/png');
    expect(Buffer.from(await new Response(stream as ReadableStream).arrayBuffer()).equals(Buffer.from(PIXEL))).to.equal(
      true,
    );
  });

  it('receive webhooks', async () => {
    const suuq = client();
    const seen: WebhookEvent[] = [];
    let secret = '';
    // #region webhooks
    async function receive(request: Request): Promise<Response> {
      const rawBody = await request.arrayBuffer(); // before any parser
      try {
        const event = await verifyWebhook(rawBody, request.headers.get('service-signature'), secret);
        if (event.type === 'order.created') console.log(`Order ${event.data.order.number} has come.`);
        seen.push(event); // into your database, once for each event.id; then answer, and work afterwards
        return new Response(null, { status: 204 });
      } catch (error) {
        if (error instanceof WebhookRefused) return new Response(error.code, { status: 401 });
        throw error;
      }
    }
    // #endregion
    const answers: number[] = [];
    const server = await listening(async (request) => {
      const answer = await receive(request);
      answers.push(answer.status);
      return answer;
    });
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
      const made = await suuq.createWebhookEndpoint({ workspaceId, body: { url, events: ['order.created'] } });
      secret = made.secret!;
      const orderId = await stage.order();
      await until('the event has arrived', async () => seen.length > 0);
      const [event] = seen;
      expect(event?.type === 'order.created' && event.data.order.id).to.equal(orderId);
      secret = 'whsec_another';
      await suuq.sendWebhookTest({ workspaceId, endpointId: made.endpoint.id });
      await until('the test has arrived', async () => answers.length > 1);
      expect(answers).to.deep.equal([204, 401]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('sign a user in to a store', async () => {
    const { key: publishableKey } = await stage.operator('keys.create', {
      partner: stage.main.id,
      mode: 'live',
      kind: 'publishable',
    });
    const { externalRef } = stage.main.store;
    // #region token
    // On your server, for the user who is signed in with you:
    const userToken = await createUserToken(secretKey, {
      sub: 'user-17',
      name: 'Sahra Nur',
      stores: [{ externalRef, role: 'supervisor' }],
    });
    // #endregion
    // #region session
    // In the browser or the app:
    const session = await openSession({ baseUrl, publishableKey, userToken });
    const { conversations } = await session.client.listConversations({ workspaceId });
    await session.end();
    // #endregion
    expect(conversations).to.be.an('array');
    expect(session.current().stores?.map((store) => store.externalRef)).to.deep.equal([externalRef]);
    let code: string | undefined;
    await session.client.listTeams({ workspaceId }).catch((error) => (code = error.code));
    expect(code).to.equal('session_ended');
  });
});

/** Starts a server whose handler maps a Request to a Response, as in workers. */
async function listening(answer: (request: Request) => Promise<Response>): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request('http://127.0.0.1/hook', { method: 'POST', headers, body: Buffer.concat(chunks) });
    outgoing.writeHead((await answer(request)).status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
