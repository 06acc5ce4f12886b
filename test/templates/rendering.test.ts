import { expect } from 'chai';
import fc from 'fast-check';
import type { TemplateComponent, TemplateParameter } from '../../domain/channel/templateComponents.js';
import { DomainError } from '../../domain/decider.js';
import type { TemplateDefinition } from '../../domain/templates/templateDefinition.js';
import { type Renderable, renderTemplate } from '../../domain/templates/templateRendering.js';

const template = (
  definition: TemplateDefinition,
  parameterFormat: 'positional' | 'named' = 'positional',
): Renderable => ({
  definition,
  parameterFormat,
  language: 'en_US',
});
const text = (value: string, parameterName?: string): TemplateParameter => ({
  type: 'text',
  text: value,
  ...(parameterName !== undefined && { parameterName }),
});
const body = (...parameters: TemplateParameter[]): TemplateComponent => ({ type: 'body', parameters });
const button = (
  index: number,
  subType: 'quick_reply' | 'url' | 'copy_code',
  ...parameters: TemplateParameter[]
): TemplateComponent => ({ type: 'button', subType, index, parameters });

function refused(of: Renderable, ...components: TemplateComponent[]): string[] {
  try {
    renderTemplate(of, components);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'template_parameters_invalid')
      return error.problems.map(({ location }) => location!.replace('body.components', ''));
    throw error;
  }
  return expect.fail('it was rendered');
}

const order = template({
  header: { format: 'text', text: 'Order {{1}}' },
  body: { text: 'Hi {{1}}, you paid {{2}} at {{3}}.' },
  footer: { text: 'Thank you' },
  buttons: [
    { type: 'quick_reply', text: 'Fine' },
    { type: 'url', text: 'Track', url: 'https://shop.example/t/{{1}}' },
    { type: 'url', text: 'Shop', url: 'https://shop.example' },
    { type: 'copy_code', text: 'Copy', example: 'EID10' },
    { type: 'voice_call_request' },
  ],
});
const header: TemplateComponent = { type: 'header', parameters: [text('17')] };
const values = body(
  text('Asha'),
  { type: 'currency', currency: { amount1000: 12_500, code: 'USD', fallbackValue: '$12.50' } },
  { type: 'date_time', dateTime: { fallbackValue: '3 March' } },
);
const track = button(1, 'url', text('17-x'));
const coupon = button(3, 'copy_code', { type: 'coupon_code', couponCode: 'EID25' });

describe('a template with its parameters', () => {
  it('is rendered as customers see it', () => {
    const fine = button(0, 'quick_reply', { type: 'payload', payload: 'fine:17' });
    expect(renderTemplate(order, [coupon, header, fine, values, track])).to.deep.equal({
      header: { format: 'text', text: 'Order 17' },
      body: 'Hi Asha, you paid $12.50 at 3 March.',
      footer: 'Thank you',
      buttons: [
        { type: 'quick_reply', text: 'Fine', payload: 'fine:17' },
        { type: 'url', text: 'Track', url: 'https://shop.example/t/17-x' },
        { type: 'url', text: 'Shop', url: 'https://shop.example' },
        { type: 'copy_code', text: 'Copy', code: 'EID25' },
        { type: 'voice_call_request' },
      ],
      text: 'Order 17\n\nHi Asha, you paid $12.50 at 3 March.\n\nThank you',
    });
  });

  it('needs no parameters without variables', () => {
    const plain = template({ body: { text: 'Your order is ready.' } });
    const shown = { body: 'Your order is ready.', buttons: [], text: 'Your order is ready.' };
    expect(renderTemplate(plain)).to.deep.equal(shown);
    expect(renderTemplate(plain, [{ type: 'body' }])).to.deep.equal(shown);
  });

  it('accepts named parameters in any order', () => {
    const named = template({ body: { text: 'Hi {{name}}, {{shop}} greets {{name}}.' } }, 'named');
    expect(renderTemplate(named, [body(text('Suuq', 'shop'), text('Asha', 'name'))]).body).to.equal(
      'Hi Asha, Suuq greets Asha.',
    );
  });

  it('inserts values literally, also those that look like variables or patterns', () => {
    const two = template({
      body: { text: 'Hi {{1}} and {{2}}.' },
      buttons: [{ type: 'url', text: 'Go', url: 'https://a.example/{{1}}' }],
    });
    const shown = renderTemplate(two, [body(text('{{2}}'), text('$& $1')), button(0, 'url', text("$&$'"))]);
    expect(shown.body).to.equal('Hi {{2}} and $& $1.');
    expect(shown.buttons[0]?.url).to.equal("https://a.example/$&$'");
  });

  it('shows a file, or a location, in the header', () => {
    const picture = template({ header: { format: 'image', sampleFileId: 'f' }, body: { text: 'Look' } });
    const link = 'https://a.example/p.jpg';
    const shown = renderTemplate(picture, [{ type: 'header', parameters: [{ type: 'image', media: { link } }] }]);
    expect(shown.header).to.deep.equal({ format: 'image', media: { link } });
    expect(shown.text).to.equal('Look');
    const place = template({ header: { format: 'location' }, body: { text: 'Here' } });
    const location = { latitude: 2.04, longitude: 45.34, name: 'Shop' };
    const there = renderTemplate(place, [{ type: 'header', parameters: [{ type: 'location', location }] }]);
    expect(there.header).to.deep.equal({ format: 'location', location });
  });

  it('for codes requires the code in the body and in the button', () => {
    const otp = template({ body: { text: '*{{1}}* is your verification code.' }, buttons: [{ type: 'otp' }] });
    const shown = renderTemplate(otp, [body(text('417093')), button(0, 'url', text('417093'))]);
    expect(shown.buttons).to.deep.equal([{ type: 'otp', code: '417093' }]);
    expect(refused(otp, body(text('417093')))).to.deep.equal(['']);
  });

  it('with parts that cannot be sent from here is rejected', () => {
    const carousel = template({ body: { text: 'Look' }, unsupported: ['carousel'] });
    expect(() => renderTemplate(carousel))
      .to.throw(DomainError)
      .with.property('code', 'template_not_sendable');
  });

  const wrong: readonly [string, string[], ...TemplateComponent[]][] = [
    ['no parameters at all', ['', '', '', '', '', '']],
    ['a body parameter too few', ['[1].parameters', '[1].parameters'], header, body(text('Asha')), track, coupon],
    ['a body parameter too many', ['[1].parameters[3]'], header, body(...values.parameters!, text('x')), track, coupon],
    [
      'an empty parameter',
      ['[1].parameters[0].text'],
      header,
      body(text(' '), ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'a line break in a value',
      ['[1].parameters[0].text'],
      header,
      body(text('a\nb'), ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'five spaces in a value',
      ['[1].parameters[0].text'],
      header,
      body(text('a     b'), ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'half a character',
      ['[1].parameters[0].text'],
      header,
      body(text('a\ud83d'), ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'a name for a number',
      ['[1].parameters[0].parameterName'],
      header,
      body(text('Asha', '1'), ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'a location in the body',
      ['[1].parameters[0].type'],
      header,
      body({ type: 'location', location: { latitude: 1, longitude: 1 } }, ...values.parameters!.slice(1)),
      track,
      coupon,
    ],
    [
      'a currency in the header',
      ['[0].parameters[0].type'],
      { type: 'header', parameters: [values.parameters![1]!] },
      values,
      track,
      coupon,
    ],
    [
      'a header that becomes too long',
      ['[0]'],
      { type: 'header', parameters: [text('7'.repeat(55))] },
      values,
      track,
      coupon,
    ],
    ['two bodies', ['[2].type'], header, values, values, track, coupon],
    ['a button twice', ['[3].index'], header, values, track, track, coupon],
    [
      'a button without its place',
      ['[2].index', ''],
      header,
      values,
      { type: 'button', subType: 'url', parameters: [text('17')] },
      coupon,
    ],
    ['a missing button', ['[4].index'], header, values, track, coupon, button(9, 'url', text('x'))],
    ['a fixed button', ['[4].index'], header, values, track, coupon, button(2, 'url', text('x'))],
    ['a button of another kind', ['[2].subType'], header, values, button(1, 'quick_reply', text('x')), coupon],
    [
      'a button with a parameter of another kind',
      ['[3].parameters[0].type'],
      header,
      values,
      track,
      button(3, 'copy_code', text('x')),
    ],
    ['a button without a parameter', ['[2].parameters'], header, values, button(1, 'url'), coupon],
    ['a button with two', ['[2].parameters[1]'], header, values, button(1, 'url', text('x'), text('y')), coupon],
    ['spaces in a URL', ['[2].parameters[0]'], header, values, button(1, 'url', text('a b')), coupon],
    [
      'a code that is too long',
      ['[3].parameters[0]'],
      header,
      values,
      track,
      button(3, 'copy_code', { type: 'coupon_code', couponCode: 'C'.repeat(16) }),
    ],
    ['a subType at the body', ['[1].subType'], header, { ...values, subType: 'url' }, track, coupon],
  ];
  for (const [name, at, ...components] of wrong)
    it(`is rejected with ${name}`, () => expect(refused(order, ...components)).to.deep.equal(at));

  it('is rejected if a named parameter is missing, unknown, nameless or duplicate', () => {
    const named = template({ body: { text: 'Hi {{name}}, from {{shop}}.' } }, 'named');
    expect(refused(named, body(text('Asha', 'name')))).to.deep.equal(['[0].parameters']);
    expect(refused(named, body(text('Asha', 'name'), text('Suuq', 'store')))).to.deep.equal([
      '[0].parameters[1].parameterName',
      '[0].parameters',
    ]);
    expect(refused(named, body(text('Asha'), text('Suuq', 'shop')))).to.deep.equal([
      '[0].parameters[0].parameterName',
      '[0].parameters',
    ]);
    expect(refused(named, body(text('Asha', 'name'), text('Omar', 'name'), text('Suuq', 'shop')))).to.deep.equal([
      '[0].parameters[1].parameterName',
    ]);
  });

  it('is rejected if a file is missing, of another kind, or given twice', () => {
    const picture = template({ header: { format: 'image', sampleFileId: 'f' }, body: { text: 'Look' } });
    const head = (...parameters: TemplateParameter[]): TemplateComponent => ({ type: 'header', parameters });
    const link = 'https://a.example/p';
    expect(refused(picture)).to.deep.equal(['']);
    expect(refused(picture, head({ type: 'video', media: { link } }))).to.deep.equal(['[0].parameters[0].type']);
    expect(refused(picture, head({ type: 'image', media: {} }))).to.deep.equal(['[0].parameters[0].media']);
    expect(refused(picture, head({ type: 'image', media: { link, fileId: 'f' } }))).to.deep.equal([
      '[0].parameters[0].media',
    ]);
    expect(refused(picture, head({ type: 'image', media: { link, filename: 'p.jpg' } }))).to.deep.equal([
      '[0].parameters[0].media.filename',
    ]);
    for (const hidden of [
      'https://127.0.0.1/p',
      'https://[::1]/p',
      'https://printer.local/p',
      'https://a:b@a.example/p',
    ])
      expect(refused(picture, head({ type: 'image', media: { link: hidden } })), hidden).to.deep.equal([
        '[0].parameters[0].media.link',
      ]);
    expect(refused(template({ body: { text: 'Look' } }), head(text('x')))).to.deep.equal(['[0].type']);
  });

  it('is rejected if its values make the body too long', () => {
    const long = (footer: boolean) =>
      template({ body: { text: `Hi {{1}}, ${'b'.repeat(900)}` }, ...(footer && { footer: { text: 'Bye' } }) });
    expect(refused(long(true), body(text('v'.repeat(200))))).to.deep.equal(['[0]']);
    expect(renderTemplate(long(false), [body(text('v'.repeat(200)))]).body).to.have.length(1_105);
    expect(refused(long(false), body(text('v'.repeat(1_025))))).to.deep.equal(['[0].parameters[0].text']);
  });

  it('contains each value at its place, whatever its content', () => {
    const word = fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((value) => /^\S+$/.test(value) && !/[\u2028\u2029]/.test(value));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (given) => {
        const written = given.map((_, at) => `w${at} {{${at + 1}}}`).join(' ');
        const shown = renderTemplate(template({ body: { text: `${written}.` } }), [
          body(...given.map((value) => text(value))),
        ]);
        expect(shown.body).to.equal(`${given.map((value, at) => `w${at} ${value}`).join(' ')}.`);
      }),
    );
  });
});
