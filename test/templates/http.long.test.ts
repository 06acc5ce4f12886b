import { expect } from 'chai';
import {
  ACCOUNT,
  MOVIE,
  PICTURE,
  seconds,
  type TemplateStage,
  templateStage,
} from '../support/stages/templateStage.js';
import { plain } from '../support/stages/templateSteps.js';

const order = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  definition: {
    header: { format: 'text', text: 'Order {{1}}', examples: [{ value: '17' }] },
    body: { text: 'Hi {{1}}, your order is ready.', examples: [{ value: 'Asha' }] },
    footer: { text: 'Thank you' },
    buttons: [
      { type: 'quick_reply', text: 'Fine' },
      { type: 'url', text: 'Track', url: 'https://shop.example/t/{{1}}', example: '17' },
    ],
  },
};

describe('message templates over HTTP', () => {
  let stage: TemplateStage;
  beforeEach(async () => {
    stage = await templateStage();
  });
  afterEach(() => stage.close());

  /** One that the provider has approved. */
  async function approved(fields: object): Promise<{ id: string; providerId: string }> {
    const { id, name } = await stage.submitted(fields);
    const providerId = stage.providerId(name);
    stage.graph.templates.get(providerId)!.status = 'APPROVED';
    expect(await stage.status(providerId, 'APPROVED')).to.equal(200);
    await stage.when(id, ({ status }) => status === 'approved');
    return { id, providerId };
  }

  it('are submitted, reviewed and shown', async () => {
    const created = await stage.call('POST', '', order);
    expect(created.status).to.equal(201);
    expect(created.body).to.deep.include({
      ...order,
      status: 'submitting',
      editPending: false,
      parameterFormat: 'positional',
    });
    const { id } = created.body;
    await stage.when(id, ({ status }) => status === 'pending');
    const sent = stage.graph.templates.get(stage.providerId('order_ready'))!;
    expect(sent).to.deep.include({
      account: ACCOUNT,
      language: 'en_US',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
    });
    expect(sent.components).to.deep.equal([
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['17'] } },
      { type: 'BODY', text: 'Hi {{1}}, your order is ready.', example: { body_text: [['Asha']] } },
      { type: 'FOOTER', text: 'Thank you' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Fine' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}', example: ['https://shop.example/t/17'] },
        ],
      },
    ]);
    expect(await stage.status(sent.id, 'REJECTED', seconds(stage.clock), { reason: 'INVALID_FORMAT' })).to.equal(200);
    const rejected = await stage.when(id, ({ status }) => status === 'rejected');
    expect(rejected.rejectedReason).to.equal('INVALID_FORMAT');
    expect((await stage.call('GET')).body.templates).to.deep.equal([rejected]);
  });

  it('reject what the provider would reject, with every path', async () => {
    const wrong = { ...plain('wrong', 'Hi {{2}}'), language: 'English' };
    const { status, body } = await stage.call('POST', '', wrong);
    expect(status).to.equal(422);
    expect(body.code).to.equal('validation_failed');
    expect(body.errors.map(({ location }: { location: string }) => location)).to.deep.equal([
      'body.language',
      'body.definition.body.text',
      'body.definition.body.text',
      'body.definition.body.examples',
    ]);
    expect(stage.graph.calls.filter(({ method }) => method === 'POST')).to.deep.equal([]);
  });

  it('have a unique name per language', async () => {
    expect((await stage.call('POST', '', plain('hello'))).status).to.equal(201);
    const again = await stage.call('POST', '', plain('hello'));
    expect(again.status).to.equal(409);
    expect(again.body.code).to.equal('template_name_taken');
    expect((await stage.call('POST', '', { ...plain('hello'), language: 'ar' })).status).to.equal(201);
    expect((await stage.call('POST', '', plain('hello'), 'sk_test_two')).status).to.equal(201);
  });

  it('are created once for concurrent requests with one name', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => stage.call('POST', '', plain('hello'))));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409, 409]);
  });

  it('are listed by name, then language, a page at a time', async () => {
    for (const [name, language] of [
      ['b', 'so'],
      ['a', 'en'],
      ['b', 'ar'],
    ])
      await stage.call('POST', '', { ...plain(name!), language });
    const first = (await stage.call('GET', '?limit=2')).body;
    const rest = (await stage.call('GET', `?limit=2&cursor=${first.next}`)).body;
    const shown = [...first.templates, ...rest.templates].map(
      (one: { name: string; language: string }) => `${one.name} ${one.language}`,
    );
    expect(shown).to.deep.equal(['a en', 'b ar', 'b so']);
    expect(rest).not.to.have.property('next');
  });

  it('belong to one store', async () => {
    const { id } = await stage.submitted(plain('hello'));
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { definition: { body: { text: 'Other words' } } }],
      ['DELETE', '', undefined],
      ['POST', '/preview', {}],
    ] as const)
      expect((await stage.call(method, `/${id}${path}`, body, 'sk_test_two')).body.code).to.equal('not_found');
    expect((await stage.call('GET', '', undefined, 'sk_test_two')).body.templates).to.deep.equal([]);
  });

  it('require a number', async () => {
    for (const [method, path, body] of [
      ['POST', '', plain('hello')],
      ['POST', '/sync', undefined],
    ] as const) {
      const answer = await stage.call(method, path, body, 'sk_test_bare');
      expect([answer.status, answer.body.code]).to.deep.equal([409, 'no_channel_number']);
    }
    expect((await stage.call('GET', '', undefined, 'sk_test_bare')).status).to.equal(200);
  });

  it('send a sample file to the reviewers', async () => {
    const header = (sampleFileId: string) => ({
      ...plain('look'),
      definition: { header: { format: 'image', sampleFileId }, body: { text: 'Look at this' } },
    });
    const movie = await stage.call('POST', '', header(MOVIE));
    expect(movie.body.errors[0].location).to.equal('body.definition.header.sampleFileId');
    expect(await stage.events(`file-${MOVIE}`), 'not used').to.have.length(1);
    expect((await stage.call('POST', '', header('00000000-0000-4000-8000-00000000dead'))).status).to.equal(422);
    await stage.submitted(header(PICTURE));
    const [, used] = await stage.events(`file-${PICTURE}`);
    expect(used).to.deep.include({ type: 'FileUsed', data: { use: 'template' } });
    const [component] = stage.graph.templates.get(stage.providerId('look'))!.components as {
      example: { header_handle: string[] };
    }[];
    expect(stage.graph.samples.get(component!.example.header_handle[0]!)?.toString()).to.equal('bytes of a picture');
  });

  it('that the provider rejects show why, and are submitted again when edited', async () => {
    stage.graph.faults.set('POST create', [{ code: 100, message: 'The words are not allowed.' }]);
    const failed = await stage.submitted(plain('hello'));
    expect(failed).to.deep.include({ status: 'submit_failed', errorCode: '100' });
    expect(failed.errorMessage).to.include('The words are not allowed.');
    const again = await stage.call('PATCH', `/${failed.id}`, { definition: { body: { text: 'Hello there' } } });
    expect(again.body).to.include({ status: 'submitting' }).and.not.have.property('errorCode');
    await stage.when(failed.id, ({ status }) => status === 'pending');
  });

  it("for codes have the provider's text", async () => {
    const definition = { body: {}, buttons: [{ type: 'otp' }] };
    const code = { name: 'code', language: 'so', category: 'authentication', definition };
    const { id, definition: own } = (await stage.call('POST', '', code)).body;
    expect(own.body.text).to.equal('*{{1}}* is your verification code.');
    const given = await stage.when(id, (one) => one.definition.body.text === '*{{1}}* waa koodkaaga.');
    expect(given.definition.buttons).to.deep.equal([{ type: 'otp', text: 'Nuqul' }]);
    const value = [{ type: 'text', text: '417093' }];
    const components = [
      { type: 'body', parameters: value },
      { type: 'button', subType: 'url', index: 0, parameters: value },
    ];
    const { body } = await stage.call('POST', `/${id}/preview`, { components });
    expect(body).to.include({ body: '*417093* waa koodkaaga.' });
    expect(body.buttons).to.deep.equal([{ type: 'otp', text: 'Nuqul', code: '417093' }]);
  });

  it('that are edited stay active until the provider has approved the edit', async () => {
    const { id, providerId } = await approved(plain('hello', 'Old words'));
    const edit = { definition: { body: { text: 'New words' } } };
    const edited = await stage.call('PATCH', `/${id}`, edit);
    expect(edited.status).to.equal(200);
    expect(edited.body).to.deep.include({
      status: 'approved',
      editPending: true,
      definition: { body: { text: 'Old words' } },
    });
    await stage.quiet();
    expect(stage.graph.templates.get(providerId)?.components).to.deep.equal([{ type: 'BODY', text: 'New words' }]);
    await stage.status(providerId, 'PENDING');
    const waiting = await stage.call('GET', `/${id}`);
    expect(waiting.body).to.deep.include({
      status: 'approved',
      editPending: true,
      definition: { body: { text: 'Old words' } },
    });
    expect((await stage.call('PATCH', `/${id}`, edit)).body).to.deep.equal(waiting.body);
    const other = { definition: { body: { text: 'Other words' } } };
    expect((await stage.call('PATCH', `/${id}`, other)).body.code).to.equal('template_not_editable');
    await stage.clock.advance(5_000);
    await stage.status(providerId, 'APPROVED');
    const decided = (await stage.call('GET', `/${id}`)).body;
    expect(decided).to.deep.include({
      status: 'approved',
      editPending: false,
      definition: { body: { text: 'New words' } },
    });
  });

  it('that are pending cannot be edited', async () => {
    const { id } = await stage.submitted(plain('hello'));
    const answer = await stage.call('PATCH', `/${id}`, { definition: { body: { text: 'Other words' } } });
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'template_not_editable']);
  });

  it('are deleting until the provider has deleted them, then removed, and their names free', async () => {
    const { id } = await stage.submitted(plain('hello'));
    stage.graph.faults.set('DELETE delete', [{ code: 2, status: 503 }]);
    expect((await stage.call('DELETE', `/${id}`)).status).to.equal(202);
    expect((await stage.call('GET', `/${id}`)).body.status).to.equal('deleting');
    await stage.when(id, ({ code }) => code === 'not_found');
    expect(stage.graph.templates.size).to.equal(0);
    expect((await stage.call('POST', '', plain('hello'))).status).to.equal(201);
  });

  it('return to their previous status if the provider does not delete them', async () => {
    const { id } = await approved(plain('hello'));
    stage.graph.faults.set('DELETE delete', [{ code: 10, message: 'No permission.' }]);
    await stage.call('DELETE', `/${id}`);
    const retained = await stage.when(id, ({ status }) => status === 'approved');
    expect(retained.errorCode).to.equal('10');
  });

  it('are previewed as they are sent, or report what is missing', async () => {
    const { id } = await stage.submitted(order);
    const text = (value: string) => ({ type: 'text', text: value });
    const components = [
      { type: 'header', parameters: [text('17')] },
      { type: 'body', parameters: [text('Asha')] },
      { type: 'button', subType: 'url', index: 1, parameters: [text('17')] },
    ];
    const shown = await stage.call('POST', `/${id}/preview`, { components });
    expect(shown.status).to.equal(200);
    expect(shown.body).to.deep.equal({
      templateId: id,
      header: { format: 'text', text: 'Order 17' },
      body: 'Hi Asha, your order is ready.',
      footer: 'Thank you',
      buttons: [
        { type: 'quick_reply', text: 'Fine' },
        { type: 'url', text: 'Track', url: 'https://shop.example/t/17' },
      ],
      text: 'Order 17\n\nHi Asha, your order is ready.\n\nThank you',
    });
    const missing = await stage.call('POST', `/${id}/preview`, { components: components.slice(0, 2) });
    expect([missing.status, missing.body.code]).to.deep.equal([422, 'template_parameters_invalid']);
    const shapeless = { components: [{ type: 'body', parameters: [{ type: 'text', payload: 'x' }] }] };
    const wrong = await stage.call('POST', `/${id}/preview`, shapeless);
    expect(wrong.body.errors.map(({ location }: { location: string }) => location)).to.deep.equal([
      'body.components[0].parameters[0]',
      'body.components[0].parameters[0].payload',
    ]);
    expect((await stage.call('POST', `/${id}/preview`)).status).to.equal(422);
  });
});
