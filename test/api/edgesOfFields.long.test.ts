/**
 * Round trips of edge values for each field of each changing operation. An accepted value is returned in an accepted
 * form and stored in a form that the event's schema allows. The document and the service agree: values outside the
 * schema are refused, and the field's description names further refusals.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect } from 'chai';
import type { Operation } from '../../api/contract/operation.js';
import { routeOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { defined } from '../../domain/defined.js';
import { createLog } from '../../service/log.js';
import { readDataSettings } from '../../service/settings/settings.js';
import { verify } from '../../upkeep/verify/verify.js';
import type { Body } from '../support/conformance/answers.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { prepareSending } from '../support/conformance/areas/inboxSending.js';
import { prepareSessions, userToken } from '../support/conformance/areas/sessions.js';
import { bodyOf, madeParams } from '../support/conformance/samples.js';
import {
  type ConformanceStage,
  conformanceStage,
  operationNamed,
  product,
  type RequestChoice,
} from '../support/conformance/stage.js';
import type { Schema } from '../support/samples/schemaSample.js';

const TIMES = [
  '9999-12-31T23:59:59-01:00',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00+01:00',
  '0000-01-01T00:00:00Z',
  '2026-01-31T09:30:00.123456Z',
  '2026-01-31T09:30:00.123000Z',
  '2026-01-31t09:30:00z',
  '2026-12-31T23:59:60Z',
  '2099-02-28T23:59:59.5+14:00',
];
const URLS = [
  'HTTPS://example.com/a',
  'https://example.com/a b<c>%zz',
  'https:example.com',
  'https://u@example.com/',
  'https://example.com/%7Ea?b=c#d',
];
const TEXTS = [' ', '\u200b', '\u2060\u00ad', 'e\u0301', '😀', 'a\nb', 'a\u2028b', '.', '..', '2026-01-31T09:30:00Z'];
const EMAILS = [
  ...['a@localhost', 'A@Example.COM', '"q"@example.com', 'a..b@example.com', 'a@[192.0.2.1]', 'ä@example.com'],
  ...[`${'a'.repeat(64)}@example.com`, `${'a'.repeat(65)}@example.com`, `a@${'b.'.repeat(140)}com`],
];
const NUMBERS = [0, 0.5, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER];

function edgesOf({ type, format, enum: words }: Schema, name: string): readonly unknown[] {
  const kind = Array.isArray(type) ? type[0] : type;
  if (words !== undefined) return [];
  if (kind === 'integer' || kind === 'number') return NUMBERS;
  if (kind !== 'string' || format === 'uuid') return [];
  if (format === 'date-time') return TIMES;
  if (format === 'email') return EMAILS;
  if (format === 'uri' || /url/i.test(name)) return URLS;
  return TEXTS;
}

type Path = readonly (string | number)[];

/** Lists the fields with edge values, each with its path. For lists this is the first item. */
function fieldsOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, path: Path = []): [Path, Schema][] {
  if (typeof schema.$ref === 'string') return fieldsOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas, path);
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, Schema>;
    items?: Schema;
    anyOf?: Schema[];
  };
  if (anyOf?.[0] !== undefined) return fieldsOf(anyOf[0], schemas, path);
  const { description } = schema;
  if (items !== undefined) return fieldsOf({ ...defined({ description }), ...items }, schemas, [...path, 0]);
  if (properties === undefined) return [[path, schema]];
  return Object.entries(properties).flatMap(([name, one]) => fieldsOf(one, schemas, [...path, name]));
}

const at = (value: Body, path: Path): unknown => path.reduce((part, step) => part?.[step], value);

/** Copies the body with this value. Returns undefined if the body has no such place. */
function withValue(body: Body, path: Path, value: unknown): Body {
  const copy = structuredClone(body);
  const parent = at(copy, path.slice(0, -1)) as Body;
  if (typeof parent !== 'object' || parent === null) return undefined;
  parent[path.at(-1)!] = value;
  return copy;
}

/** Refusals that JSON Schema does not express, each with the matching words in the field's description. */
const NARROWER: readonly (readonly [field: RegExp, message: RegExp, described: RegExp])[] = [
  [/ame$/, /must contain a visible character/, /something visible/],
  [/(?:At|since|until)$/, /RFC 3339/, /to the millisecond/],
  [/snoozedUntil$/, /RFC 3339/, /to the millisecond/],
  [/snoozedUntil$/, /snoozed|366 days/, /coming 366 days/],
  [/assigneeMemberId$/, /active member/, /active member/],
  [/updateConversation teamId$/, /team of the store/, /A team of the store/],
  [/since$/, /30 days ago|future/, /At most 30 days ago, and not in the future/],
  [/until$/, /after `since`/, /after since/],
  [/email$/, /must be an email address/, /At most 64 characters before the at sign/],
  [/(?:Id|Ref)$/, /must not be '.' or '..'/, /not `.` or `..`/],
  [/timezone$/, /IANA/, /IANA/],
  [/phones?(?:\.0)?$/, /phone number/, /country code/],
  [/url$/, /host name does not resolve/, /on the public internet/],
  [/salePriceCents$/, /below the price/, /Below priceCents/],
  [/Promotion name$/, /no line break/, /in one line/],
  [/Promotion code$/, /flash sale/, /Of a coupon alone/],
  [/Promotion max/, /flash sale/, /for coupon and number_list/],
  [/amountOffCents$/, /not both/, /Only without percentOff/],
  [/[tT]ext$|value$/, /must not be empty|needs a body|No line breaks/, /[nN]ot blank/],
  [/message.text$/, /type template/, /absent with a template/],
  [/name$/, /Examples of numbered variables/, /for named variables/],
  [/index$/, /Only a button/, /With button/],
  [/couponCode$|payload$/, /of the type text/, /With (?:coupon_code|payload)/],
  [/parameterName$/, /numbered/, /Of a named variable/],
];

/** Validates values as a reader of the document does, by the formats of JSON Schema. */
const reader = new Ajv2020({ strict: false, formats: { ...fullFormats, int32: true, int64: true, double: true } });
const admits = (schema: Schema, value: unknown): boolean => reader.validate(schema, value);

const changing = operations.filter(
  (one) =>
    one.body !== undefined && one.credential === undefined && ['PUT', 'PATCH', 'POST'].includes(routeOf(one).method),
);

describe('values at the limits of fields', function () {
  this.timeout(180_000);
  let stage: ConformanceStage;
  let tried = 0;
  let accepted = 0;
  let endpointId = '';
  before(async () => {
    stage = await conformanceStage();
    await prepareSending(stage);
    await prepareSessions(stage);
    await stage.call(operationNamed(operations, 'upsertProduct'), { params: { externalId: 'shirt' }, body: product() });
    const rotate = operationNamed(operations, 'rotateWebhookEndpointSecret');
    ({ endpointId } = (await madeParams(stage, rotate, stage.main.store)) as Body);
  });
  after(() => stage.close());

  const schemaOf = (operation: Operation): Schema => {
    const { method, path } = routeOf(operation);
    const entry = stage.document.paths[path]![method.toLowerCase()] as Body;
    return entry.requestBody.content['application/json'].schema;
  };

  /** Returns the errors of an answer for the field itself. */
  const problemsAt = ({ status, body }: { status: number; body: Body }, path: Path): { message: string }[] =>
    (status === 422 ? (body.errors ?? []) : []).filter(
      ({ location }: Body) => String(location).replace(/\[(\d+)\]/g, '.$1') === `body.${path.join('.')}`,
    );

  /** Checks that the document describes the service's answer to the value. */
  function isDescribed(schema: Schema, value: unknown, name: string, problems: readonly { message: string }[]): void {
    const reported = `${name}: ${JSON.stringify(value)}`;
    if (!admits(schema, value)) expect(problems, `${reported} is accepted`).to.not.deep.equal([]);
    else
      for (const { message } of problems) {
        const words = NARROWER.find(([field, text]) => field.test(name) && text.test(message))?.[2];
        expect(words, `${reported} is refused: ${message}`).to.be.instanceOf(RegExp);
        expect(schema.description, reported).to.match(words!);
      }
  }

  async function comesBack(
    operation: Operation,
    params: Readonly<Record<string, string>>,
    path: Path,
    value: unknown,
    schema: Schema,
  ) {
    const body = bodyOf(stage, operation);
    const requested = withValue(body, path, value);
    if (requested === undefined) return;
    tried += 1;
    const answer = await stage.call(operation, { params, body: requested });
    expect(answer.status, `${path.join('.')} ${JSON.stringify(value)}`).to.be.below(500);
    if (answer.status === 422 || answer.status < 300)
      isDescribed(schema, value, `${operation.id} ${path.join('.')}`, problemsAt(answer, path));
    if (answer.status >= 300) return;
    accepted += 1;
    const back = at(answer.body, path);
    if (back === undefined || back === value || typeof back === 'object') return;
    const again = await stage.call(operation, { params, body: withValue(body, path, back) });
    const reported = `${path.join('.')}: ${JSON.stringify(value)} came back as ${JSON.stringify(back)}`;
    expect(problemsAt(again, path), reported).to.deep.equal([]);
  }

  for (const operation of changing)
    it(`of ${operation.id} are returned in a form that is accepted again`, async () => {
      const schemas = stage.document.components.schemas as Readonly<Record<string, Schema>>;
      const params = await madeParams(stage, operation, stage.main.store);
      for (const [path, schema] of fieldsOf(schemaOf(operation), schemas))
        for (const value of edgesOf(schema, String(path.at(-1))))
          await comesBack(operation, params, path, value, schema);
    });

  const named = (id: string): Operation => operationNamed(operations, id);
  /** Requests without a JSON body. Each places the value elsewhere and extracts it from the answer. */
  const elsewhere: readonly [
    id: string,
    place: string,
    values: readonly unknown[],
    (value: never) => RequestChoice,
    back?: (body: Body) => unknown,
  ][] = [
    [
      'createSDKSession',
      'the name of the user token',
      [...TEXTS, 'n'.repeat(120), 'n'.repeat(121)],
      (name) => signIn({ name, sub: 'named' }),
      ({ name }) => name,
    ],
    ['createSDKSession', 'the subject of the user token', TEXTS, (sub) => signIn({ sub })],
    ['createSDKSession', 'the email of the user token', EMAILS, (email: string) => signIn({ email, sub: email })],
    ['createSDKSession', 'the times of the user token', [...NUMBERS, -1], (exp) => signIn({ exp })],
    [
      'uploadFile',
      'the name of the file',
      [...TEXTS, 'a/b.png', 'C:\\a.png', `${'é'.repeat(300)}.png`, 'a.exe'],
      (name: string) => ({ body: formWith(PIXEL, name) }),
      ({ name }) => name,
    ],
    [
      'upsertProduct',
      'the path',
      TEXTS.filter((text) => !['.', '..'].includes(text)),
      (externalId) => ({ params: { externalId }, body: product() }),
      ({ externalId }) => externalId,
    ],
    [
      'rotateWebhookEndpointSecret',
      'the query',
      NUMBERS,
      (keepPreviousHours) => ({ params: { endpointId }, query: { keepPreviousHours } }),
    ],
  ];
  const signIn = (claims: object): RequestChoice => {
    const body = bodyOf(stage, named('createSDKSession'));
    return { key: null, body: { ...body, userToken: userToken(stage, claims) } };
  };
  for (const [id, place, values, requested, back] of elsewhere)
    it(`of ${id} are returned in a form that is accepted again, in ${place}`, async () => {
      for (const value of values) {
        const answer = await stage.call(named(id), requested(value as never));
        tried += 1;
        expect(answer.status, JSON.stringify(value)).to.be.below(500);
        if (answer.status >= 300 || back === undefined) continue;
        accepted += 1;
        const again = await stage.call(named(id), requested(back(answer.body) as never));
        expect([again.status < 300, back(again.body)], JSON.stringify(value)).to.deep.equal([true, back(answer.body)]);
      }
    });

  const sale = { priceCents: 1_00, salePriceCents: 2_00, saleStartsAt: TIMES[1], saleEndsAt: '2026-01-01T00:00:00Z' };
  const product7 = { name: '', imageUrls: ['https://10.0.0.1/a'], ...sale };
  const saleProblems = ['name', 'imageUrls[0]', 'salePriceCents', 'saleEndsAt'];
  const definition = { body: { text: 7 }, buttons: [{ type: 'url', text: 'Go', url: 'http://a b' }] };
  const store = { externalRef: '..', name: '', owner: {}, country: 'ZZ', timezone: 'Mars', locale: 'en' };
  const coupon = {
    name: 'a\nb',
    kind: 'coupon',
    scope: 'products',
    percentOff: 500,
    startsAt: TIMES[1],
    endsAt: TIMES[4],
  };
  const phone = { type: 'phone_number', text: 'Call', phoneNumber: '+999123456789' };
  const template = { category: 'marketing', definition: { body: { text: 'a' }, buttons: [phone] } };
  const same = (externalId: string) => ({
    externalId,
    name: 'Dates',
    priceCents: 1_00,
    imageUrls: ['https://example.com/a'],
  });
  const wrong: readonly [id: string, body: object, places: readonly string[]][] = [
    ['createWebhookEndpoint', { url: 'https://10.0.0.1/', events: [], more: 1 }, ['events', 'more', 'url']],
    ['updatePartnerWebhookEndpoint', { url: 'http://a b', description: 7 }, ['description', 'url']],
    ['createPromotion', coupon, ['percentOff', 'name', 'productExternalIds', 'code', 'endsAt']],
    [
      'createTemplate',
      { name: 'A', language: 'x', category: 'marketing', definition },
      ['name', 'definition.body.text', 'language', 'definition.buttons[0].url'],
    ],
    ['createNumberList', { name: '', kind: 'past_orders' }, ['name', 'minOrders']],
    ['updateNumberList', { name: 7, kind: 'uploaded', phones: ['x'] }, ['name', 'phones[0]']],
    [
      'saveDeliverySettings',
      { deliveryEnabled: false, pickupEnabled: false, areas: [] },
      ['pickupAddress', 'requestLocation', 'notifyStatuses', 'deliveryEnabled', 'pickupEnabled'],
    ],
    ['replayWebhookEndpoint', { since: TIMES[1], more: 1 }, ['more', 'since']],
    ['createPartnerStore', store, ['name', 'owner.email', 'owner.name', 'externalRef', 'country', 'timezone']],
    ['upsertProduct', product7, saleProblems],
    [
      'upsertProducts',
      { products: [{ externalId: 'a', ...product7 }] },
      saleProblems.map((place) => `products[0].${place}`),
    ],
    [
      'upsertProducts',
      { products: [same('a'), { ...same('b'), name: '' }, same('a'), { ...same('a'), imageUrls: ['x'] }] },
      ['products[1].name', 'products[2].externalId', 'products[3].externalId', 'products[3].imageUrls[0]'],
    ],
    [
      'upsertProducts',
      {
        products: [...Array(40).fill({ ...same('a'), description: 'd'.repeat(500) }), { ...product7, externalId: 'b' }],
      },
      [
        ...Array.from({ length: 39 }, (_, at) => `products[${at + 1}].externalId`),
        ...saleProblems.map((place) => `products[40].${place}`),
      ],
    ],
    [
      'upsertProductCategories',
      {
        categories: [
          { externalId: 'a', name: '' },
          { externalId: 'a', name: 'Tea' },
        ],
        more: 1,
      },
      ['categories[0].name', 'categories[1].externalId', 'more'],
    ],
    ['savePaymentWallets', { wallets: ['zaad', 'zaad', 'x'] }, ['wallets[1]', 'wallets[2]']],
    [
      'sendMessage',
      { clientMsgId: 'a b', type: 'text', text: ' ', media: { fileId: 7 } },
      ['clientMsgId', 'media.fileId', 'text'],
    ],
    ['sendMessage', { clientMsgId: '', type: 'template', text: 'Hi' }, ['clientMsgId', 'template', 'text']],
    ['sendMessage', { clientMsgId: 'm1', type: 'image', text: 'c'.repeat(1_025) }, ['media', 'text']],
    [
      'startConversation',
      { phone: '+2526', message: { clientMsgId: '', type: 'text', text: ' ' }, teamId: 'x' },
      ['phone', 'teamId', 'message.clientMsgId', 'message.type'],
    ],
    [
      'startConversation',
      { phone: '+2526', message: { clientMsgId: 'm1', type: 'template' } },
      ['phone', 'message.template'],
    ],
    ['createTemplate', { ...template, name: 'a', language: 'x' }, ['language', 'definition.buttons[0].phoneNumber']],
    [
      'editTemplate',
      { definition: { body: { text: 'a {{x' }, footer: { text: 7 }, buttons: [phone, { type: 'otp' }] } },
      ['definition.footer.text', 'definition.buttons[0].phoneNumber', 'definition.buttons[1].type'],
    ],
    [
      'editTemplate',
      { definition: { body: {}, buttons: [phone] }, more: 1 },
      ['more', 'definition.body.text', 'definition.buttons[0].phoneNumber'],
    ],
  ];
  for (const [id, body, places] of wrong)
    it(`of ${id} have all their problems reported at once: ${places.slice(0, 5).join(', ')}`, async () => {
      const operation = named(id);
      const params = await madeParams(stage, operation, stage.main.store);
      const answer = await stage.call(operation, { params, body });
      const found = answer.body.errors.map(({ location }: Body) => location);
      expect(found, answer.text).to.have.members(places.map((place) => `body.${place}`));
    });

  it('are stored according to the schemas of their events', async () => {
    expect([tried > 300, accepted > 50], `${accepted} of ${tried}`).to.deep.equal([true, true]);
    const settings = readDataSettings({ SUUQ_DATA: stage.folder });
    const signal = new AbortController().signal;
    const { whole, faults } = await verify(settings, createLog('silent'), { report: () => undefined, signal });
    expect(faults).to.deep.equal([]);
    expect(whole).to.equal(true);
  });
});
