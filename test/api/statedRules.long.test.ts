/** Rules that JSON Schema cannot express: the document describes each, and the service follows the description. */
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import type { Body } from '../support/conformance/answers.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';

const named = (id: string) => operationNamed(operations, id);

describe('rules documented in words', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const description = (schema: string, ...path: string[]): string =>
    path.reduce((part: Body, name) => part[name], stage.document.components.schemas[schema] as Body).description;
  const problems = ({ status, body }: Body): Body => [
    status,
    body.errors?.map((one: Body) => [one.location, one.message]),
  ];

  it('names of areas that differ only in case or blanks are equal', async () => {
    expect(description('DeliveryAreaBody', 'properties', 'name')).to.include(
      'differ only in case or in blanks around them',
    );
    const area = (name: string) => ({ name, feeCents: 100, active: true });
    const settings = {
      deliveryEnabled: true,
      pickupEnabled: false,
      pickupAddress: '',
      requestLocation: false,
      notifyStatuses: [],
    };
    const save = (...names: string[]) =>
      stage.call(named('saveDeliverySettings'), { body: { ...settings, areas: names.map(area) } });
    expect(problems(await save('Hodan', ' hODAN '))).to.deep.equal([
      422,
      [['body.areas[1].name', 'Two areas have the same name.']],
    ]);
    expect((await save('Hodan', 'Hodan 2')).status).to.equal(200);
  });

  it('duplicates among the events of an endpoint count once', async () => {
    expect(description('CreateWebhookEndpointInputBody', 'properties', 'events')).to.include('Duplicates count once.');
    const events = ['order.created', 'order.paid', 'order.created'];
    const { status, body } = await stage.call(named('createWebhookEndpoint'), {
      body: { url: stage.hooks.url, events },
    });
    expect([status, body.endpoint?.events ?? body.events]).to.deep.equal([201, ['order.created', 'order.paid']]);
  });

  it('no text contains NUL, and no id is a dot segment', async () => {
    const { description: text } = (stage.document as Body).info;
    expect(text).to.include('the character NUL (U+0000)').and.include('Ids may not be `.` or `..`');
    const put = (externalId: string, fields: object) =>
      stage.call(named('upsertProduct'), { params: { externalId }, body: product(fields) });
    expect(problems(await put('tea', { name: 'a\u0000b' }))).to.deep.equal([
      422,
      [['body.name', 'must not contain the character NUL (U+0000)']],
    ]);
    const batch = (externalId: string) =>
      stage.call(named('upsertProducts'), { body: { products: [product({ externalId })] } });
    for (const id of ['.', '..']) {
      const answer = await batch(id);
      expect([answer.status, answer.body.errors[0].location], id).to.deep.equal([422, 'body.products[0].externalId']);
    }
    expect((await batch('...')).status).to.equal(200);
  });
});
