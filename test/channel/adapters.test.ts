import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { type CatalogItem, ProviderError } from '../../application/ports/catalogProvider.js';
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { price, requestData } from '../../infrastructure/channel/catalogFormat.js';
import { createCatalogProvider } from '../../infrastructure/channel/catalogProvider.js';
import { createChannelMessages } from '../../infrastructure/channel/channelMessages.js';
import { messagePayload } from '../../infrastructure/channel/outboundFormat.js';
import { mayRetry } from '../../infrastructure/channel/providerCodes.js';
import { CATALOG, item, NUMBER_ID, type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const asha = { phone: '+252615550101' };
const text = (to: object = asha, words = 'Your order') => ({
  to,
  content: { type: 'text', text: words } as const,
  messageId: 'message-1',
});
const form: OutboundContent = {
  type: 'flow',
  text: 'Your order no. 7',
  flowName: 'checkout',
  cta: 'Check out',
  token: 'order-1',
  screen: 'CHECKOUT',
  data: { orderNumber: 7, areas: [{ id: 'a1', title: 'Hodan' }], pickup: true, delivery: true },
};

/** The ProviderError that a call ends in. */
async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  const outcome = await call.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof ProviderError)) throw outcome;
  return outcome;
}
const brief = ({ code, retry }: ProviderError): [string, boolean] => [code, retry];

describe('channel adapters', () => {
  let stage: SandboxStage;
  before(async () => {
    stage = await sandboxStage();
  });
  after(() => stage.close());
  afterEach(() => stage.control('DELETE', '/sandbox/faults'));

  describe('messages', () => {
    it("send every kind, by phone and by user id, and return the channel's id", async () => {
      const { messages } = stage.adapters();
      const words = 'Your order no. 7 is on its way.';
      const template = {
        type: 'template',
        name: 'order_update',
        language: 'en_US',
        body: [words],
        text: words,
      } as const;
      const where = { type: 'location_request', text: 'Where to?' } as const;
      const contents: OutboundContent[] = [text().content, form, where, template];
      for (const content of contents) {
        const sent = await messages.send(NUMBER_ID, { to: { userId: 'SO.7' }, content, messageId: 'm' }, undefined);
        expect(sent.channelMessageId).to.match(/^wamid\./);
      }
      const { body } = await stage.control('GET', `/sandbox/numbers/${NUMBER_ID}/customers/SO.7/messages`);
      const received = (body as { messages: { type: string; text: string; flow?: object }[] }).messages;
      expect(received.map((one) => [one.type, one.text])).to.deep.equal([
        ['text', 'Your order'],
        ['flow', 'Your order no. 7'],
        ['location_request_message', 'Where to?'],
        ['template', words],
      ]);
      expect(received[1]?.flow).to.deep.equal({
        name: 'checkout',
        token: 'order-1',
        cta: 'Check out',
        screen: 'CHECKOUT',
        data: form.data,
      });
    });

    it('send a template with its variables in one line', () => {
      const body = ['Your order\n\tno. 7     is ready', 'x'.repeat(2_000)];
      const content = { type: 'template', name: 'order_update', language: 'en_US', body, text: '' } as const;
      const { template } = messagePayload({ to: asha, content, messageId: 'm' }) as { template: object };
      expect(template).to.deep.equal({
        name: 'order_update',
        language: { code: 'en_US' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Your order no. 7 is ready' },
              { type: 'text', text: `${'x'.repeat(1_023)}…` },
            ],
          },
        ],
      });
    });

    it("speak the channel's format, and fit its limits without cutting a character", () => {
      expect(messagePayload({ to: { ...asha, userId: 'SO.7' }, content: form, messageId: 'message-1' })).to.deep.equal({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '+252615550101',
        type: 'interactive',
        interactive: {
          type: 'flow',
          body: { text: 'Your order no. 7' },
          action: {
            name: 'flow',
            parameters: {
              flow_message_version: '3',
              flow_name: 'checkout',
              flow_cta: 'Check out',
              flow_token: 'order-1',
              flow_action: 'navigate',
              flow_action_payload: { screen: 'CHECKOUT', data: form.data },
            },
          },
        },
        biz_opaque_callback_data: 'message-1',
      });
      const long = { ...form, text: '😀'.repeat(1_100), cta: '😀'.repeat(30) };
      const { interactive } = messagePayload({ to: asha, content: long, messageId: 'm' }) as never as {
        interactive: { body: { text: string }; action: { parameters: { flow_cta: string } } };
      };
      expect(interactive.body.text).to.equal(`${'😀'.repeat(1_023)}…`);
      expect(interactive.action.parameters.flow_cta).to.equal(`${'😀'.repeat(19)}…`);
    });

    it("distinguish rate limits and temporary errors from permanent ones by the channel's code", async () => {
      const { messages } = stage.adapters();
      const expected: [number, boolean][] = [
        [130429, true],
        [131056, true],
        [131016, true],
        [1, true],
        [131047, false],
        [131026, false],
        [131049, false],
        [190, false],
        [200, false],
        [132001, false],
      ];
      for (const [code, retry] of expected) {
        await stage.fault('messages', 'error', { code });
        expect(brief(await failureOf(messages.send(NUMBER_ID, text(), undefined)))).to.deep.equal([
          String(code),
          retry,
        ]);
      }
      expect(mayRetry(424242, 500)).to.equal(true);
      expect(mayRetry(424242, 400)).to.equal(false);
    });

    it('are rejected with a wrong token, which no error repeats', async () => {
      const { messages } = stage.adapters();
      const failure = await failureOf(messages.send(NUMBER_ID, text(), 'token-of-another-number'));
      expect(brief(failure)).to.deep.equal(['190', false]);
      expect(failure.message).not.to.contain('token-of-another-number');
    });

    it('time out when the channel hangs, and stop when the caller aborts', async () => {
      await stage.fault('messages', 'hang', { times: 2 });
      expect(brief(await failureOf(stage.adapters(80).messages.send(NUMBER_ID, text(), undefined)))).to.deep.equal([
        'timeout',
        true,
      ]);
      const stop = new AbortController();
      const call = stage.adapters().messages.send(NUMBER_ID, text(), undefined, stop.signal);
      setImmediate(() => stop.abort(new Error('the service stops')));
      const reason = await call.catch((error: Error) => error.message);
      expect(reason).to.equal('the service stops');
    });

    it('report an unreachable channel', async () => {
      const messages = createChannelMessages({ baseUrl: 'http://127.0.0.1:1', version: 'v23.0', accessToken: TOKEN });
      expect(brief(await failureOf(messages.send(NUMBER_ID, text(), undefined)))).to.deep.equal(['unreachable', true]);
      await messages.close();
    });
  });

  describe('malformed answers', () => {
    let server: Server;
    let play: (response: ServerResponse, url: string) => void;
    const client = (timeoutMs = 2_000) =>
      createCatalogProvider({
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        version: 'v23.0',
        accessToken: TOKEN,
        timeoutMs,
      });
    const submit = async (timeoutMs?: number) => {
      const catalog = client(timeoutMs);
      const failure = await failureOf(catalog.submit(CATALOG, [{ method: 'delete', retailerId: 'SKU-1' }]));
      await catalog.close();
      return failure;
    };
    before(async () => {
      server = createServer((request, response) => {
        request.resume();
        play(response, request.url!);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('are bad_answer: not JSON, not an object, a redirect, an error page', async () => {
      for (const [status, body, retry] of [
        [200, '<html>', true],
        [200, '[1]', true],
        [302, '', false],
        [502, '<html>Bad gateway', true],
        [404, 'not here', false],
      ] as const) {
        play = (response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body);
        expect(brief(await submit()), String(status)).to.deep.equal(['bad_answer', retry]);
      }
    });

    it('are cut off when they do not end, by bytes and by time', async () => {
      play = (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1_000_000)));
        };
        response.on('drain', more);
        more();
      };
      expect(brief(await submit(20_000))).to.deep.equal(['bad_answer', true]);
      play = (response) => void response.write('{"handles":');
      expect(brief(await submit(80))).to.deep.equal(['timeout', true]);
    });

    it('are read page by page, by cursor, up to a limit', async () => {
      const catalog = client();
      const row = (retailer_id: string, more: object = {}) => ({ retailer_id, review_status: 'approved', ...more });
      const visible = {
        capability_to_review_status: [
          { key: 'OTHER', value: 'REJECTED' },
          { key: 'WHATSAPP', value: 'APPROVED' },
        ],
      };
      const next = { cursors: { after: 'c 1' }, next: 'https://elsewhere.example.com/' };
      play = (response, url) => {
        const last = url.endsWith('&after=c%201');
        const data = last
          ? [row('SKU-2'), row('SKU-3', { review_status: 'rejected', review_rejection_reasons: ['No'] }), {}]
          : [row('SKU-1', visible)];
        response.end(JSON.stringify({ data, paging: last ? {} : next }));
      };
      expect(await catalog.reviews(CATALOG, ['SKU-1', 'SKU-2', 'SKU-3'])).to.deep.equal([
        { retailerId: 'SKU-1', status: 'approved', reasons: [] },
        { retailerId: 'SKU-2', status: 'pending', reasons: [] },
        { retailerId: 'SKU-3', status: 'rejected', reasons: ['No'] },
      ]);
      play = (response) => void response.end(JSON.stringify({ data: [], paging: next }));
      expect(brief(await failureOf(catalog.reviews(CATALOG, ['SKU-1'])))).to.deep.equal(['bad_answer', true]);
      // An answer without a list is no empty list, by which everything would count as removed.
      play = (response) => void response.end('{}');
      expect(brief(await failureOf(catalog.reviews(CATALOG, ['SKU-1'])))).to.deep.equal(['bad_answer', true]);
      await catalog.close();
    });

    it('report how long to wait', async () => {
      play = (response) =>
        response
          .writeHead(400, { 'retry-after': '7' })
          .end(
            JSON.stringify({ error: { message: 'Too many calls', code: 80014, error_data: { details: 'Slow down' } } }),
          );
      const failure = await submit();
      expect([failure.code, failure.retry, failure.retryAfterMs, failure.message]).to.deep.equal([
        '80014',
        true,
        7_000,
        'Too many calls: Slow down',
      ]);
    });

    it('report a repeated provider message once', async () => {
      const error = { message: 'No such catalog', code: 100, error_user_msg: 'No such catalog' };
      play = (response) => response.writeHead(400).end(JSON.stringify({ error }));
      expect((await submit()).message).to.equal('No such catalog');
    });
  });

  describe('items', () => {
    const data = (more: Partial<CatalogItem>) =>
      (requestData({ method: 'update', item: item('SKU-1', more) }) as { data: Record<string, unknown> }).data;

    it("have the provider's field names", () =>
      expect(requestData({ method: 'update', item: item('SKU-1-M', { groupId: 'SKU-1', size: 'M' }) })).to.deep.equal({
        method: 'UPDATE',
        data: {
          id: 'SKU-1-M',
          item_group_id: 'SKU-1',
          title: 'Dress SKU-1-M',
          description: 'Light cotton',
          availability: 'in stock',
          condition: 'new',
          price: '12.50 USD',
          sale_price: '',
          sale_price_effective_date: '',
          link: 'https://shop.example.com/SKU-1-M',
          image_link: 'https://img.example.com/1.jpg',
          additional_image_link: ['https://img.example.com/2.jpg'],
          brand: 'Hodan Boutique',
          color: '',
          size: 'M',
        },
      }));

    it('are priced to the cent', () => {
      expect([0, 5, 99, 100, 999, 100_000_000_000].map(price)).to.deep.equal([
        '0.00 USD',
        '0.05 USD',
        '0.99 USD',
        '1.00 USD',
        '9.99 USD',
        '1000000000.00 USD',
      ]);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
          const [units, rest] = price(cents).slice(0, -4).split('.') as [string, string];
          expect(Number(units) * 100 + Number(rest)).to.equal(cents);
          expect(rest).to.have.lengthOf(2);
        }),
      );
    });

    it('are on sale only inside the window, in whole minutes', () => {
      const sale = (saleStartsAt?: string, saleEndsAt?: string) =>
        data({
          salePriceCents: 999,
          ...(saleStartsAt === undefined ? {} : { saleStartsAt }),
          ...(saleEndsAt === undefined ? {} : { saleEndsAt }),
        });
      expect(sale('2026-11-01T12:00:30+03:00', '2026-12-01T00:00:59Z')).to.include({
        sale_price: '9.99 USD',
        sale_price_effective_date: '2026-11-01T09:01+0000/2026-12-01T00:00+0000',
      });
      expect(sale()).to.include({ sale_price: '9.99 USD', sale_price_effective_date: '' });
      expect(sale('2026-11-01T09:00:00Z').sale_price_effective_date).to.match(/^2026-11-01T09:00\+0000\/2099/);
      expect(sale('2026-11-01T09:00:10Z', '2026-11-01T09:00:50Z')).to.include({ sale_price: '' });
    });

    it('have titles of at most 100 whole characters', () => {
      expect(data({ title: `${'a'.repeat(99)}😀` }).title).to.equal(`${'a'.repeat(99)}😀`);
      expect(data({ title: `${'a'.repeat(98)}😀😀😀` }).title).to.equal(`${'a'.repeat(98)}😀…`);
      expect(data({ title: 'Shaash', description: '' }).description).to.equal('Shaash');
    });
  });

  describe('catalog', () => {
    const update = (one: CatalogItem) => ({ method: 'update', item: one }) as const;

    it('sends a batch, reports when it is finished, and reviews its items', async () => {
      const { catalog } = stage.adapters();
      const requests = [
        update(item('C-1')),
        update(item('C-2', { title: 'Watch [reject]' })),
        update(item('C-3', { brand: '' })),
      ];
      const { handle, problems } = await catalog.submit(CATALOG, requests);
      expect(problems).to.deep.equal([{ retailerId: 'C-3', message: 'brand is required.' }]);
      expect(await catalog.batchStatus(CATALOG, handle!)).to.deep.equal({ finished: true, problems });
      expect(await catalog.reviews(CATALOG, ['C-1', 'C-2', 'C-3', 'C-4'])).to.deep.equal([
        { retailerId: 'C-1', status: 'approved', reasons: [] },
        {
          retailerId: 'C-2',
          status: 'rejected',
          reasons: ['The item is of a kind that may not be sold on the channel.'],
        },
      ]);
      const editedOf = async (...items: CatalogItem[]) =>
        (await catalog.itemStates(CATALOG, items)).map(({ retailerId, edited }) => [retailerId, edited]);
      expect(await editedOf(item('C-1'), item('C-2'), item('C-4'))).to.deep.equal([
        ['C-1', false],
        ['C-2', true],
      ]);
      expect(await editedOf(item('C-1', { priceCents: 1 }))).to.deep.equal([['C-1', true]]);
      expect(await editedOf(item('C-1', { availability: 'out_of_stock' }))).to.deep.equal([['C-1', true]]);
      await catalog.submit(CATALOG, [{ method: 'delete', retailerId: 'C-1' }]);
      expect(await catalog.reviews(CATALOG, ['C-1'])).to.deep.equal([]);
    });

    it('reads reviews of many long ids, in several requests and pages', async () => {
      const { catalog } = stage.adapters();
      const ids = Array.from({ length: 200 }, (_, i) => `SKU:${String(i).padStart(4, '0')}:${'x'.repeat(90)}`);
      await catalog.submit(
        CATALOG,
        ids.map((id) => update(item(id))),
      );
      const reviews = await catalog.reviews(CATALOG, ids);
      expect(reviews.map(({ retailerId }) => retailerId).sort()).to.deep.equal(ids);
    });

    it('reports what the provider did not accept or save', async () => {
      const { catalog } = stage.adapters();
      await stage.fault('items_batch', 'empty_handles');
      expect(await catalog.submit(CATALOG, [update(item('D-1'))])).to.deep.equal({ problems: [] });
      const { handle } = await catalog.submit(CATALOG, [update(item('D-1'))]);
      await stage.fault('batch_status', 'finished_with_errors');
      const lost = [{ retailerId: 'D-1', message: 'The item was not saved.' }];
      expect(await catalog.batchStatus(CATALOG, handle!)).to.deep.equal({ finished: true, problems: lost });
      expect(await catalog.reviews(CATALOG, ['D-1'])).to.deep.equal([]);
    });

    it('fails with the same codes as messages', async () => {
      const { catalog } = stage.adapters(80);
      await stage.fault('items_batch', 'error', { code: 80014 });
      expect(brief(await failureOf(catalog.submit(CATALOG, [update(item('E-1'))])))).to.deep.equal(['80014', true]);
      await stage.fault('reviews', 'hang');
      expect(brief(await failureOf(catalog.reviews(CATALOG, ['E-1'])))).to.deep.equal(['timeout', true]);
      expect(brief(await failureOf(catalog.batchStatus(CATALOG, 'nothing')))).to.deep.equal(['unknown_handle', false]);
      const big = update(item('E-2', { description: 'x'.repeat(10_000_000) }));
      expect(brief(await failureOf(catalog.submit(CATALOG, [big, big, big])))).to.deep.equal([
        'batch_too_large',
        false,
      ]);
    });
  });
});
