/** Limits of the template schemas over HTTP: accepted at the limit, refused beyond it with the field's location. */
import { expect } from 'chai';
import { type Answer, PICTURE, type TemplateStage, templateStage } from '../support/stages/templateStage.js';

const chars = (count: number): string => 'x'.repeat(count);
const NO_TEXT = [7, true, null, {}, ['x']];

const hello = { body: { text: 'Hello there' } };
const whole = {
  language: 'en_US',
  category: 'utility',
  definition: {
    header: { format: 'text', text: 'For {{1}}', examples: [{ value: 'x' }] },
    body: { text: 'Hi {{1}}, welcome.', examples: [{ value: 'Asha' }] },
    footer: { text: 'Bye' },
    buttons: [
      { type: 'url', text: 'Go', url: 'https://a.example/{{1}}', example: '17' },
      { type: 'phone_number', text: 'Call', phoneNumber: '+252611234567' },
      { type: 'copy_code', example: 'EID' },
    ],
  },
};

/** Returns a copy with another value at this path. Undefined removes the value. */
// biome-ignore lint/suspicious/noExplicitAny: any part of any body
function withValue(body: object, at: string, value: unknown): any {
  const copy = structuredClone(body) as Record<string, unknown>;
  const path = (at.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const last = path.pop()!;
  const holder = path.reduce<Record<string | number, unknown>>((part, step) => part[step] as never, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

interface Limit {
  readonly at: string;
  readonly accepts?: readonly unknown[];
  readonly refuses: readonly unknown[];
  readonly of?: object;
}

const headed = (header: object): object => ({ ...whole, definition: { ...hello, header } });
const buttoned = (...buttons: object[]): object => ({ ...whole, definition: { ...hello, buttons } });
const replies = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'quick_reply', text: `Reply ${at}` }));
const otp = {
  ...whole,
  category: 'authentication',
  definition: { body: {}, footer: { codeExpirationMinutes: 5 }, buttons: [{ type: 'otp' }] },
};

const limits: readonly Limit[] = [
  { at: 'name', refuses: ['', chars(513), 'Hello', 'a-b', 'a b', 'é', 'a\n', ...NO_TEXT] },
  {
    at: 'language',
    accepts: ['en', 'so', 'zh_HK', 'fil'],
    refuses: ['', 'e', chars(17), 'English', 'en-US', ...NO_TEXT],
  },
  { at: 'category', accepts: ['marketing'], refuses: ['UTILITY', 'other', '', ...NO_TEXT] },
  { at: 'definition', refuses: [null, [], 'x', {}] },
  { at: 'definition.body.text', refuses: [chars(1_025), '😀'.repeat(1_025), ...NO_TEXT] },
  {
    of: { ...whole, definition: hello },
    at: 'definition.body.text',
    accepts: [chars(1_024), '😀'.repeat(1_024)],
    refuses: [''],
  },
  { at: 'definition.body.examples[0].value', accepts: [chars(200)], refuses: [chars(201), '', ...NO_TEXT] },
  { at: 'definition.body.examples[0].name', refuses: [chars(65), 'x', 7, null] },
  { at: 'definition.header.format', refuses: ['gif', '', ...NO_TEXT] },
  { at: 'definition.header.text', refuses: [`${chars(60)}{{1}}`, 'A {{1}} {{2}}', ...NO_TEXT] },
  {
    of: headed({ format: 'text', text: 'x' }),
    at: 'definition.header.text',
    accepts: [chars(60), '😀'.repeat(60)],
    refuses: [chars(61)],
  },
  { at: 'definition.header.examples', refuses: [[{ value: 'a' }, { value: 'b' }], [], null, {}] },
  {
    of: headed({ format: 'image', sampleFileId: PICTURE }),
    at: 'definition.header.sampleFileId',
    accepts: [PICTURE.toUpperCase()],
    refuses: ['no-id', '', 7, null, undefined],
  },
  { at: 'definition.footer.text', accepts: [chars(60)], refuses: [chars(61), '', ...NO_TEXT] },
  { of: otp, at: 'definition.footer.codeExpirationMinutes', accepts: [0, 1, 90], refuses: [-1, 91, 1.5, '5', null] },
  {
    of: buttoned(...replies(10), { type: 'voice_call_request' }),
    at: 'definition.buttons[0].text',
    accepts: [chars(25), '😀'.repeat(25)],
    refuses: [chars(26), '', ...NO_TEXT],
  },
  {
    at: 'definition.buttons',
    accepts: [[], replies(10), [...replies(10), { type: 'voice_call_request' }]],
    refuses: [replies(11), replies(12), null, {}],
  },
  { at: 'definition.buttons[0].type', refuses: ['flow', '', ...NO_TEXT] },
  {
    at: 'definition.buttons[0].url',
    accepts: [`https://a.example/${chars(1_977)}{{1}}`],
    refuses: [`https://a.example/${chars(1_978)}{{1}}`, ...NO_TEXT],
  },
  { at: 'definition.buttons[0].example', accepts: [chars(200)], refuses: [chars(201), ...NO_TEXT] },
  {
    at: 'definition.buttons[1].phoneNumber',
    accepts: ['+1 (555) 123-4567', '252611234567'],
    refuses: [`+${'1'.repeat(32)}`, '+1', '', ...NO_TEXT],
  },
  { at: 'definition.buttons[2].example', accepts: [chars(15)], refuses: [chars(16), ''] },
  { at: 'definition.unsupported', accepts: [[]], refuses: [['carousel'], null, [7]] },
  ...[
    '',
    'definition.',
    'definition.body.',
    'definition.header.',
    'definition.footer.',
    'definition.buttons[0].',
    'definition.body.examples[0].',
  ].map((of) => ({ at: `${of}surprise`, refuses: ['x'] })),
];

const component = { type: 'body', parameters: [{ type: 'text', text: 'Asha' }] };
const parameterLimits: readonly Limit[] = [
  { at: 'components', refuses: [null, {}, Array.from({ length: 13 }, () => component)] },
  { at: 'components[0].type', refuses: ['footer', '', ...NO_TEXT] },
  { at: 'components[0].subType', refuses: ['otp', '', null] },
  { at: 'components[0].index', refuses: [-1, 10, '1', null] },
  { at: 'components[0].parameters', refuses: [null, {}, Array.from({ length: 21 }, () => component.parameters[0])] },
  { at: 'components[0].parameters[0].text', accepts: [chars(900)], refuses: ['', chars(1_025), ...NO_TEXT] },
  { at: 'components[0].parameters[0].type', refuses: ['url', 'image', '', null] },
  {
    at: 'components[0].parameters[0]',
    accepts: [
      { type: 'currency', currency: { amount1000: 12_500, code: 'USD', fallbackValue: chars(64) } },
      { type: 'date_time', dateTime: { fallbackValue: chars(64) } },
    ],
    refuses: [
      { type: 'currency', currency: { amount1000: 1.5, code: 'USD', fallbackValue: 'x' } },
      { type: 'currency', currency: { amount1000: 1, code: 'USDT', fallbackValue: 'x' } },
      { type: 'currency', currency: { amount1000: 1, code: 'USD', fallbackValue: chars(65) } },
      { type: 'currency', currency: { amount1000: 1, code: 'USD' } },
      { type: 'date_time', dateTime: { fallbackValue: chars(65) } },
      { type: 'image', media: { link: 'http://a.example/p.jpg' } },
      { type: 'document', media: { link: 'https://a.example/p', filename: chars(241) } },
      { type: 'location', location: { latitude: 91, longitude: 0 } },
      { type: 'location', location: { latitude: 0, longitude: -181 } },
      { type: 'location', location: { latitude: 0, longitude: 0, name: chars(101) } },
      { type: 'location', location: { latitude: 0, longitude: 0, address: chars(201) } },
      { type: 'payload', payload: 'x' },
      { type: 'text' },
      { type: 'text', text: 'x', surprise: 1 },
    ],
  },
];

describe('the limits of templates', () => {
  let stage: TemplateStage;
  let count = 0;
  before(async () => {
    stage = await templateStage();
  });
  after(() => stage.close());

  const create = (body: object): Promise<Answer> => {
    count += 1;
    return stage.call('POST', '', { name: `template_${count}`, ...body });
  };
  const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

  function refusedAt({ status, body }: Answer, at: string, value: unknown): void {
    expect(status, `${at} ${shown(value)}`).to.equal(422);
    expect(['validation_failed', 'template_parameters_invalid']).to.include(body.code);
    const places = body.errors.map(({ location }: { location: string }) => location);
    // An error may be reported at a neighbouring part, such as examples without their variable.
    const part = `body.${at
      .split('.')
      .slice(0, 2)
      .join('.')
      .replace(/\[\d+\]$/, '')}`;
    expect(
      places.some((place: string) => place.startsWith(`body.${at}`)) ||
        places.some((place: string) => place.startsWith(part)),
      `${at}: ${places}`,
    ).to.equal(true);
  }

  it('accept a template with everything, and names of every length', async () => {
    expect((await create(whole)).status).to.equal(201);
    for (const name of ['a', '0', '_', 'a'.repeat(512)])
      expect((await stage.call('POST', '', { ...whole, name })).status, name).to.equal(201);
  });

  it('require a name, a language, a category and a body', async () => {
    for (const at of ['language', 'category', 'definition', 'definition.body', 'definition.body.text'])
      refusedAt(await create(withValue(whole, at, undefined)), at, undefined);
    refusedAt(await stage.call('POST', '', whole), 'name', undefined);
  });

  for (const { at, accepts = [], refuses, of = whole } of limits)
    it(`enforce the rules for ${at}`, async () => {
      for (const value of accepts) {
        const { status, body } = await create(withValue(of, at, value));
        expect(status, `${at} ${shown(value)}: ${JSON.stringify(body)}`).to.equal(201);
      }
      for (const value of refuses) refusedAt(await create(withValue(of, at, value)), at, value);
    });

  it('enforce the rules for parameters', async () => {
    const { body } = await create({ ...whole, definition: { body: whole.definition.body } });
    const preview = (components: object): Promise<Answer> => stage.call('POST', `/${body.id}/preview`, components);
    const good = { components: [component] };
    expect((await preview(good)).status).to.equal(200);
    for (const { at, accepts = [], refuses } of parameterLimits) {
      for (const value of accepts)
        expect((await preview(withValue(good, at, value))).status, shown(value)).to.equal(200);
      for (const value of refuses) refusedAt(await preview(withValue(good, at, value)), at, value);
    }
  });

  it('enforce the same rules for edits', async () => {
    const { body } = await create(whole);
    const edit = (change: object): Promise<Answer> => stage.call('PATCH', `/${body.id}`, change);
    for (const change of [{}, { definition: hello, category: 'authentication' }, { definition: hello, name: 'other' }])
      expect((await edit(change)).body.code, shown(change)).to.equal('validation_failed');
  });
});
