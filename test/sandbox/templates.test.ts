/** Templates at the channel: rules, review, webhooks, paging, and requirements for sending. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { NUMBER_ID, type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const ACCOUNT = '200300400500600';
const OFFER = {
  name: 'offer',
  language: 'en_US',
  category: 'MARKETING',
  parameter_format: 'POSITIONAL',
  components: [
    { type: 'BODY', text: 'Hi {{1}}, {{2}} off!', example: { body_text: [['Asha', '20 %']] } },
    { type: 'FOOTER', text: 'Reply STOP to end' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'See', url: 'https://shop.example.com/{{1}}', example: ['a'] },
      ],
    },
  ],
};
const numbers = async () => [
  { phoneNumberId: NUMBER_ID, displayPhoneNumber: '+252611', catalogId: '9', businessAccountId: ACCOUNT },
];

interface GraphAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
  readonly body: any;
}

describe('sandbox templates', () => {
  let stage: SandboxStage;
  beforeEach(async () => {
    stage = await sandboxStage({ numbers });
  });
  afterEach(() => stage.close());

  async function graph(method: string, path: string, body?: object): Promise<GraphAnswer> {
    const answer = await fetch(`${stage.baseUrl}/v23.0/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.status, body: await answer.json() };
  }
  const create = (more: object = {}) => graph('POST', `${ACCOUNT}/message_templates`, { ...OFFER, ...more });
  const notify = (field = 'message_template_status_update') =>
    stage.changes
      .filter((one) => one.field === field)
      .map(({ entry, value }): Readonly<Record<string, unknown>> => ({ entry, ...value }));
  const statusOf = async (id: string) => (await graph('GET', `${id}?fields=status,rejected_reason`)).body;
  async function approved(more: object = {}): Promise<string> {
    const { body } = await create(more);
    await until('it is reviewed', async () => (await statusOf(body.id)).status !== 'PENDING');
    return body.id;
  }
  const send = (template: object) =>
    graph('POST', `${NUMBER_ID}/messages`, {
      messaging_product: 'whatsapp',
      to: '+252615550101',
      type: 'template',
      template,
    });
  const words = (...values: string[]) => ({
    type: 'body',
    parameters: values.map((text) => ({ type: 'text', text })),
  });
  const see = { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'eid' }] };
  const offer = (...components: object[]) => ({ name: 'offer', language: { code: 'en_US' }, components });

  it('are pending, then approved, and the webhook reports it', async () => {
    const { status, body } = await create();
    expect([status, body.status, body.category]).to.deep.equal([200, 'PENDING', 'MARKETING']);
    await until('the webhook reports it', () => notify().length === 1);
    expect(notify()[0]).to.deep.equal({
      entry: ACCOUNT,
      event: 'APPROVED',
      message_template_id: Number(body.id),
      message_template_name: 'offer',
      message_template_language: 'en_US',
      reason: 'NONE',
    });
    expect(stage.forged).to.equal(0);
  });

  it('are rejected with a reason if their name asks for it', async () => {
    const id = await approved({ name: 'please_reject_this' });
    expect(await statusOf(id)).to.deep.equal({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT', id });
    await until('the webhook reports it', () => notify().length === 1);
    expect(notify()[0]).to.include({ event: 'REJECTED', reason: 'INVALID_FORMAT' });
  });

  it('are listed in pages, with the requested fields', async () => {
    for (const language of ['en_US', 'ar', 'so']) await approved({ language });
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const { body } = await graph('GET', `${ACCOUNT}/message_templates?fields=name,language&limit=2${after}`);
      seen.push(...body.data.map((one: { name: string; language: string }) => `${one.name} ${one.language}`));
      expect(Object.keys(body.data[0]).sort()).to.deep.equal(['id', 'language', 'name']);
      if (body.paging.next === undefined) break;
      after = `&after=${body.paging.cursors.after}`;
    }
    expect(seen.filter((one) => one.startsWith('offer'))).to.deep.equal(['offer en_US', 'offer ar', 'offer so']);
    expect(seen).to.include('order_update en');
    const other = await graph('GET', '999/message_templates?name=offer');
    expect(other.body.data).to.deep.equal([]);
  });

  it('are reviewed again after a change, and cannot be changed in the meantime', async () => {
    const id = await approved();
    await stage.control('POST', '/sandbox/settings', { templateReview: 'manual' });
    const components = [{ type: 'BODY', text: 'Only today' }];
    expect((await graph('POST', id, { components })).body).to.deep.equal({ success: true });
    expect(await statusOf(id)).to.include({ status: 'PENDING' });
    expect((await graph('POST', id, { components })).body.error)
      .to.include({ code: 100 })
      .and.property('error_user_msg');
    await stage.control('POST', `/sandbox/templates/${id}`, { event: 'APPROVED' });
    expect((await graph('GET', id)).body).to.deep.include({ status: 'APPROVED', components });
  });

  it('are deleted by name in all languages, or one by id', async () => {
    const english = await approved();
    await approved({ language: 'ar' });
    await approved({ language: 'so' });
    const remove = (query: string) => graph('DELETE', `${ACCOUNT}/message_templates?${query}`);
    expect((await remove(`name=offer&hsm_id=${english}`)).body).to.deep.equal({ success: true });
    const left = async () => (await graph('GET', `${ACCOUNT}/message_templates?name=offer`)).body.data.length;
    expect(await left()).to.equal(2);
    await remove('name=offer');
    expect(await left()).to.equal(0);
    expect((await remove('name=offer')).status).to.equal(400);
    expect((await graph('GET', english)).status).to.equal(400);
    await until('it is reported', () => notify().filter(({ event }) => event === 'DELETED').length === 3);
    expect((await create()).status).to.equal(200);
  });

  it('report every status and quality on demand', async () => {
    const id = await approved();
    const steps = ['PAUSED', 'REINSTATED', 'FLAGGED', 'DISABLED', 'IN_APPEAL', 'PENDING_DELETION', 'ARCHIVED'];
    const seen: string[] = [];
    for (const event of steps) {
      await stage.control('POST', `/sandbox/templates/${id}`, { event });
      seen.push((await statusOf(id)).status);
    }
    expect(seen).to.deep.equal([
      'PAUSED',
      'APPROVED',
      'APPROVED',
      'DISABLED',
      'IN_APPEAL',
      'PENDING_DELETION',
      'ARCHIVED',
    ]);
    await stage.control('POST', `/sandbox/templates/${id}`, { quality: 'YELLOW' });
    await until('the quality is reported', () => notify('message_template_quality_update').length === 1);
    expect(notify().map(({ event }) => event)).to.deep.equal(['APPROVED', ...steps]);
    expect(notify('message_template_quality_update')[0]).to.include({
      entry: ACCOUNT,
      previous_quality_score: 'UNKNOWN',
      new_quality_score: 'YELLOW',
    });
    expect((await stage.control('POST', `/sandbox/templates/${id}`, { event: 'LOST' })).status).to.equal(422);
    expect((await stage.control('POST', '/sandbox/templates/1', { event: 'PAUSED' })).status).to.equal(404);
  });

  it("are rejected if they break the channel's rules", async () => {
    await create();
    const body = (text: string, example?: object) => ({
      components: [{ type: 'BODY', text, ...(example && { example }) }],
    });
    const wrong: object[] = [
      {},
      { name: 'Offer' },
      { name: 'x', language: 'english' },
      { name: 'x', category: 'OTHER' },
      { name: 'x', components: [] },
      { name: 'x', ...body('x'.repeat(1_025)) },
      { name: 'x', ...body('Hi {{1}}') },
      { name: 'x', ...body('Hi {{2}}', { body_text: [['Asha']] }) },
      { name: 'x', parameter_format: 'NAMED', ...body('Hi {{Name}}') },
      { name: 'x', parameter_format: 'NAMED', ...body('Hi {{name}}') },
      {
        name: 'x',
        components: [
          { type: 'BODY', text: 'Hi' },
          { type: 'FOOTER', text: '{{1}}' },
        ],
      },
      {
        name: 'x',
        components: [
          { type: 'BODY', text: 'Hi' },
          { type: 'HEADER', format: 'IMAGE' },
        ],
      },
      {
        name: 'x',
        components: [
          { type: 'BODY', text: 'Hi' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'x', url: 'x' }] },
        ],
      },
    ];
    for (const more of wrong) {
      const answer = await create(more);
      expect([answer.status, answer.body.error?.code], JSON.stringify(more)).to.deep.equal([400, 100]);
      expect(answer.body.error.error_user_msg).to.be.a('string');
    }
  });

  it('accept an uploaded example for their header', async () => {
    const started = await graph('POST', 'app-1/uploads?file_name=a.jpg&file_length=5&file_type=image%2Fjpeg');
    const upload = async (bytes: string) => {
      const answer = await fetch(`${stage.baseUrl}/v23.0/${started.body.id}`, {
        method: 'POST',
        headers: { authorization: `OAuth ${TOKEN}`, file_offset: '0' },
        body: Buffer.from(bytes),
      });
      return (await answer.json()) as { h?: string };
    };
    expect((await upload('1234')).h).to.equal(undefined);
    const { h } = await upload('12345');
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } };
    expect((await create({ components: [header, { type: 'BODY', text: 'Look' }] })).status).to.equal(200);
  });

  it('require exactly their parameters', async () => {
    await approved();
    const code = async (template: object) => {
      const answer = await send(template);
      return answer.body.error?.code ?? answer.status;
    };
    expect(await code(offer(words('Asha', '20 %'), see))).to.equal(200);
    expect(await code(offer(words('Asha'), see))).to.equal(132000);
    expect(await code(offer(words('Asha', '20 %', 'more'), see))).to.equal(132000);
    expect(await code(offer(words('Asha', '20 %')))).to.equal(131008);
    expect(await code(offer(words('Asha', '20 %'), { ...see, index: '0' }))).to.equal(132012);
    expect(
      await code(offer({ type: 'body', parameters: [{ type: 'image' }, { type: 'text', text: 'x' }] }, see)),
    ).to.equal(132012);
    expect(await code({ name: 'offer', language: { code: 'ar' } })).to.equal(132001);
    expect(await code({ name: 'nothing', language: { code: 'en_US' } })).to.equal(132001);
    expect(await code({ name: 'order_update', language: { code: 'so' }, components: [words('Diyaar')] })).to.equal(200);
  });

  it('are sent with named parameters and a picture if they have them', async () => {
    await approved({
      name: 'named',
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Hi {{first_name}}',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Asha' }] },
        },
      ],
    });
    const named = (parameter_name: string) =>
      send({
        name: 'named',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', parameter_name, text: 'Asha' }] }],
      });
    expect((await named('first_name')).status).to.equal(200);
    expect((await named('name')).body.error.code).to.equal(132012);
  });

  it('are not sent before they are approved, nor while paused', async () => {
    await stage.control('POST', '/sandbox/settings', { templateReview: 'manual' });
    const { body } = await create();
    const code = async () => (await send(offer(words('Asha', '20 %'), see))).body.error?.code;
    expect(await code()).to.equal(132001);
    for (const [event, expected] of [
      ['APPROVED', undefined],
      ['PAUSED', 132015],
      ['DISABLED', 132016],
    ] as const) {
      await stage.control('POST', `/sandbox/templates/${body.id}`, { event });
      expect(await code(), event).to.equal(expected);
    }
  });

  it('are shown to the customer with their final text', async () => {
    await approved();
    await send(offer(words('Asha', '20 %'), see));
    const path = `/sandbox/numbers/${NUMBER_ID}/customers/252615550101/messages`;
    const { body } = await stage.control('GET', path);
    expect((body as { messages: object[] }).messages[0]).to.deep.include({
      text: 'Hi Asha, 20 % off!',
      template: {
        text: 'Hi Asha, 20 % off!',
        footer: 'Reply STOP to end',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'See' },
        ],
      },
    });
  });
});

describe('sandbox template reviews', () => {
  it('are decided after their delay, also across a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'suuq-sandbox-'));
    const clock = fakeClock();
    const stage = await sandboxStage({ clock, numbers, reviewMs: 1_000, stateFile: join(folder, 'sandbox.jsonl') });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const status = async () => {
      const { body } = await stage.control('GET', `/sandbox/templates?account=${ACCOUNT}`);
      return (body as { templates: { name: string; status: string }[] }).templates.find(({ name }) => name === 'offer')
        ?.status;
    };
    const body = JSON.stringify(OFFER);
    await fetch(`${stage.baseUrl}/v23.0/${ACCOUNT}/message_templates`, { method: 'POST', headers, body });
    await clock.advance(900);
    await stage.restart();
    expect(await status()).to.equal('PENDING');
    await clock.advance(100);
    expect(await status()).to.equal('APPROVED');
    await stage.close();
    await rm(folder, { recursive: true });
  });
});
