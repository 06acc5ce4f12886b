import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { isProblem, locations } from '../support/conformance/answers.js';
import { type ConformanceStage, conformanceStage, operationNamed } from '../support/conformance/stage.js';

const createList = operationNamed(operations, 'createNumberList');
const getList = operationNamed(operations, 'getNumberList');
const updateList = operationNamed(operations, 'updateNumberList');
const listOrders = operationNamed(operations, 'listOrders');
const createTemplate = operationNamed(operations, 'createTemplate');

describe('phone numbers with their country code over HTTP', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  for (const country of ['DE', 'AE', 'IT', 'SE', 'AT', 'FI', 'ID'])
    it(`are stored unchanged in a store in ${country}, and national ones are rejected`, async () => {
      const store = await stage.addStore(stage.main, `phones-${country}`, country);
      const fields = { name: 'Regulars', kind: 'uploaded', phones: ['252615000001', '00254712345678'] };
      const made = await stage.call(createList, { body: fields }, store);
      expect(made.status, made.text).to.equal(201);
      const params = { listId: made.body.id };
      const { body } = await stage.call(getList, { params }, store);
      expect(body.phones).to.deep.equal(['+252615000001', '+254712345678']);
      const phones = ['+252615000001', '252615000002', '+254712345678', '0615000001'];
      const national = await stage.call(updateList, { params, body: { ...fields, phones } }, store);
      isProblem(national, 422, 'validation_failed');
      expect(locations(national)).to.deep.equal(['body.phones[3]']);
    });

  it('filter listOrders; others are rejected with their path', async () => {
    for (const phone of ['0615000001', '+999615000001', '12', '+252615000001 ext. 5', 'Asha']) {
      const answer = await stage.call(listOrders, { query: { phone } });
      isProblem(answer, 422, 'validation_failed');
      expect(locations(answer), phone).to.deep.equal(['query.phone']);
    }
    for (const phone of ['252615000001', '00252615000001', '+252615000001'])
      expect((await stage.call(listOrders, { query: { phone } })).status, phone).to.equal(200);
  });

  it('are dialled by buttons of templates', async () => {
    const request = (name: string, ...numbers: string[]) =>
      stage.call(createTemplate, {
        body: {
          name,
          language: 'en',
          category: 'utility',
          definition: {
            body: { text: 'Call us.' },
            buttons: numbers.map((phoneNumber) => ({ type: 'phone_number', text: 'Call us', phoneNumber })),
          },
        },
      });
    for (const phone of ['0612345678', '+999612345678', '+2526123']) {
      const answer = await request('wrong', phone);
      isProblem(answer, 422, 'validation_failed');
      expect(locations(answer), phone).to.deep.equal(['body.definition.buttons[0].phoneNumber']);
    }
    for (const [name, phone] of [
      ['plus', '+252 61 234 5678'],
      ['zeros', '00252612345678'],
      ['digits', '252612345678'],
    ] as const)
      expect((await request(name, phone)).status, phone).to.equal(201);
  });

  it('are accepted by the operator commands for channel numbers', async () => {
    const { workspaceId } = await stage.addStore(stage.main, 'phones-number', 'DE');
    const connect = (displayPhoneNumber: string) =>
      stage.operator('numbers.connect', { workspace: workspaceId, displayPhoneNumber });
    expect(await connect('252 61 500 0001')).to.include({ displayPhoneNumber: '+252615000001' });
    for (const wrong of ['0615000001', '+999615000001'])
      expect(await connect(wrong).catch((error) => error.code ?? String(error)), wrong).to.equal('validation_failed');
  });
});
