/** The phone over HTTP: who acts as a customer of which store, through the console, on the sandbox itself. */
import { expect } from 'chai';
import {
  type Browser,
  type ConsoleStage,
  NUMBERS,
  OTHER,
  openConsoleStage,
  SHOP,
} from '../support/stages/consoleStage.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const ASHA = '252615550101';
const IDA = '252615550102';
const [OURS, THEIRS] = NUMBERS;
const MB = 1024 * 1024;
const CHUNKED = { 'transfer-encoding': 'chunked' };
const PHOTO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC';

const chat = (number: string, customer: string): string => `/api/sandbox/numbers/${number}/customers/${customer}`;

describe('the phone in the console', () => {
  let sandbox: SandboxStage;
  let stage: ConsoleStage;
  let operator: Browser;
  let shop: Browser;
  let auditor: Browser;
  before(async () => {
    sandbox = await sandboxStage();
    stage = await openConsoleStage({ sandboxUrl: sandbox.baseUrl });
    operator = await stage.signIn({ role: 'operator' });
    shop = await stage.signIn({ role: 'store', workspaceId: SHOP });
    auditor = await stage.signIn({ role: 'auditor' });
  });
  after(async () => {
    await stage.close();
    await sandbox.close();
  });
  const act = (
    browser: Browser,
    number: string,
    customer: string,
    body: object,
    headers: Record<string, string> = {},
  ) => stage.change(browser, `${chat(number, customer)}/messages`, body, headers);

  it('is shown to users who may use it', async () => {
    const notify = async (browser: Browser) => (await stage.read(browser, '/api/session')).body.phone;
    expect([await notify(operator), await notify(shop), await notify(auditor)]).to.deep.equal([true, true, undefined]);
    expect((await stage.read(shop, `/api/phone?workspace=${SHOP}`)).body).to.deep.equal({
      numbers: [{ phoneNumberId: OURS, displayPhoneNumber: '+252615550000' }],
    });
  });

  it('writes to the store as its customer, through the channel’s own webhook, and reads the chat', async () => {
    const { status, body } = await act(shop, OURS, ASHA, { text: 'Is it open?', name: 'Asha' });
    expect([status, body.webhook.status]).to.deep.equal([200, 200]);
    expect(sandbox.values.at(-1)!.messages![0]).to.include({ from: ASHA, type: 'text' });
    const { messages } = (await stage.read(operator, `${chat(OURS, ASHA)}/messages`)).body;
    expect(messages.at(-1)).to.include({ direction: 'sent', text: 'Is it open?' });
    const { customers } = (await stage.read(shop, `/api/sandbox/numbers/${OURS}/customers`)).body;
    expect(customers).to.deep.equal([{ phone: `+${ASHA}`, name: 'Asha' }]);
    expect((await stage.change(shop, `${chat(OURS, ASHA)}/calls`)).body.webhook.status).to.equal(200);
    expect((await stage.change(shop, `${chat(OURS, ASHA)}/read`)).status).to.equal(204);
    expect((await stage.read(shop, `/api/sandbox/numbers/${OURS}/items`)).body).to.deep.equal({ total: 0, items: [] });
  });

  it("is limited to customers of the user's own store", async () => {
    const before = sandbox.values.length;
    await act(operator, THEIRS, IDA, { image: { base64: PHOTO, mimeType: 'image/png' } });
    const { messages } = (await stage.read(operator, `${chat(THEIRS, IDA)}/messages`)).body;
    const media = `${chat(THEIRS, IDA)}/media/${messages.at(-1).file.id}`;
    expect((await stage.read(operator, media)).status).to.equal(200);
    for (const path of ['items', 'customers', `customers/${IDA}/messages`])
      expect([path, (await stage.read(shop, `/api/sandbox/numbers/${THEIRS}/${path}`)).status]).to.deep.equal([
        path,
        404,
      ]);
    expect((await stage.read(shop, media)).status).to.equal(404);
    expect((await stage.read(shop, media.replace(THEIRS, OURS))).status, 'in a chat of ours').to.equal(404);
    for (const acted of ['messages', 'read', 'calls'])
      expect((await stage.change(shop, `${chat(THEIRS, IDA)}/${acted}`, { text: 'x' })).body.code).to.equal(
        'not_found',
      );
    expect((await stage.read(shop, `/api/phone?workspace=${OTHER}`)).status).to.equal(404);
    expect(sandbox.values.length, 'only the operator’s photo came').to.equal(before + 1);
  });

  it('rejects an auditor, a signed-out user, and a request without the CSRF token', async () => {
    expect((await stage.read(auditor, `${chat(OURS, ASHA)}/messages`)).body.code).to.equal('permission_denied');
    expect((await act(auditor, OURS, ASHA, { text: 'x' })).body.code).to.equal('permission_denied');
    expect((await stage.request('GET', `${chat(OURS, ASHA)}/messages`)).body.code).to.equal('console_signed_out');
    const { cookie } = shop;
    const bare = await stage.request('POST', `${chat(OURS, ASHA)}/messages`, { cookie }, { text: 'x' });
    expect(bare.body.code).to.equal('csrf_token_missing');
    const foreign = await stage.request('GET', `${chat(OURS, ASHA)}/messages`, {
      cookie,
      origin: 'https://other.example',
    });
    expect(foreign.status).to.equal(403);
  });

  it('forwards only chat requests to the sandbox: no faults, no settings, no path traversal', async () => {
    for (const path of ['/api/sandbox/faults', '/api/sandbox/settings', `/api/sandbox/numbers/${OURS}/deliveries`])
      expect([path, (await stage.change(operator, path, {})).status]).to.deep.equal([path, 404]);
    const out = encodeURIComponent('../../../faults');
    const odd = await stage.read(operator, `${chat(OURS, out)}/messages`);
    expect([odd.status, odd.body.messages]).to.deep.equal([200, []]);
  });

  it('reports errors in the sandbox’s own words', async () => {
    const empty = await act(shop, OURS, ASHA, { cart: { items: [] } });
    expect([empty.status, empty.body.code]).to.deep.equal([422, 'validation_failed']);
    expect(empty.body.detail).to.include('cart.items needs at least one');
    sandbox.answer = 503;
    const refused = await act(shop, OURS, ASHA, { text: 'x' });
    sandbox.answer = 200;
    expect([refused.status, refused.body.webhook.status], 'the service did not take it').to.deep.equal([200, 503]);
  });

  it('shows a customer’s photo, and runs nothing that pretends to be one', async () => {
    await act(shop, OURS, ASHA, { image: { base64: PHOTO, mimeType: 'image/png' } });
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    );
    await act(shop, OURS, ASHA, { document: { base64: script, mimeType: 'image/svg+xml', filename: 'a.svg' } });
    const { messages } = (await stage.read(shop, `${chat(OURS, ASHA)}/messages`)).body;
    const [photo, drawing] = await Promise.all(
      messages
        .slice(-2)
        .map(({ file }: { file: { id: string } }) => stage.read(shop, `${chat(OURS, ASHA)}/media/${file.id}`)),
    );
    expect(photo.headers['content-type']).to.equal('image/png');
    expect(photo.headers['content-disposition']).to.match(/^inline/);
    expect(drawing.headers['content-disposition']).to.match(/^attachment/);
    for (const { headers } of [photo, drawing])
      expect(headers['content-security-policy']).to.equal("default-src 'none'; sandbox; frame-ancestors 'none'");
  });

  it('accepts no more than the sandbox does', async () => {
    const large = await act(shop, OURS, ASHA, { image: { base64: 'A'.repeat(25 * MB) } });
    expect([large.status, large.body.code]).to.deep.equal([413, 'payload_too_large']);
    const chunked = await act(shop, OURS, ASHA, { image: { base64: 'A'.repeat(25 * MB) } }, CHUNKED);
    expect([chunked.status, chunked.body.code], 'unannounced').to.deep.equal([413, 'payload_too_large']);
  });

  it('reports an unavailable sandbox, and is absent without one', async () => {
    const gone = await openConsoleStage({ sandboxUrl: 'http://127.0.0.1:1' });
    const theirs = await gone.signIn({ role: 'operator' });
    expect((await gone.read(theirs, `${chat(OURS, ASHA)}/messages`)).body.code).to.equal('unavailable');
    await gone.close();
    const without = await openConsoleStage();
    const browser = await without.signIn({ role: 'operator' });
    expect((await without.read(browser, '/api/session')).body.phone).to.equal(undefined);
    expect((await without.read(browser, `${chat(OURS, ASHA)}/messages`)).status).to.equal(404);
    expect((await without.read(browser, `/api/phone?workspace=${SHOP}`)).body).to.deep.equal({ numbers: [] });
    await without.close();
  });
});
