import { expect } from 'chai';
import { definitionProblems, formatOf, normalDefinition } from '../../domain/templates/definitionRules.js';
import type {
  TemplateButton,
  TemplateCategory,
  TemplateDefinition,
  TemplateExample,
} from '../../domain/templates/templateDefinition.js';

const SAMPLE = '00000000-0000-4000-8000-00000000005a';
const body = (text: string, ...values: string[]): TemplateDefinition => ({
  body: { text, ...(values.length > 0 && { examples: values.map((value) => ({ value })) }) },
});
const named = (text: string, ...examples: TemplateExample[]): TemplateDefinition => ({ body: { text, examples } });

/** Places of all problems, without 'body.definition.'. */
const places = (definition: TemplateDefinition, category: TemplateCategory = 'utility'): string[] =>
  definitionProblems(definition, { category }).map(({ location }) => location!.replace('body.definition.', ''));
const withButtons = (...buttons: TemplateButton[]): string[] => places({ ...body('Hello'), buttons });
const withHeader = (header: TemplateDefinition['header'] & object): string[] => places({ ...body('Hello'), header });

const reply = (text: string): TemplateButton => ({ type: 'quick_reply', text });
const site: TemplateButton = { type: 'url', text: 'See it', url: 'https://shop.example/p' };
const call: TemplateButton = { type: 'phone_number', text: 'Call us', phoneNumber: '+252 61 123 4567' };
const code: TemplateButton = { type: 'copy_code', example: 'EID10' };
const mayCall: TemplateButton = { type: 'voice_call_request' };

describe('a template', () => {
  const good: readonly [string, TemplateDefinition][] = [
    ['without variables', body('Your order is on its way.')],
    ['with numbered variables in order', body('Hi {{1}}, order {{2}} is ready.', 'Asha', '17')],
    ['with ten variables', body(`${places10()}.`, ...Array.from({ length: 10 }, (_, at) => `v${at}`))],
    [
      'with named variables',
      named(
        'Hi {{first_name}}, order {{order_2}} is ready.',
        { name: 'order_2', value: '17' },
        { name: 'first_name', value: 'Asha' },
      ),
    ],
    ['with a named variable used twice', named('Hi {{a}}, yes {{a}}!', { name: 'a', value: 'Asha' })],
    ['with single braces as text', body('Use {this and } that.')],
    ['with variables at punctuation', body('({{1}}) is your number, "{{2}}" your name.', '7', 'Asha')],
    [
      'with a header variable of its own',
      {
        ...body('Hi {{1}}, welcome.', 'Asha'),
        header: { format: 'text', text: 'Order {{1}}', examples: [{ value: '17' }] },
      },
    ],
    ['with a picture', { ...body('Hello'), header: { format: 'image', sampleFileId: SAMPLE } }],
    ['with a location', { ...body('Hello'), header: { format: 'location' } }],
    [
      'with the longest texts',
      {
        body: { text: 'b'.repeat(1_024) },
        header: { format: 'text', text: 'h'.repeat(60) },
        footer: { text: 'f'.repeat(60) },
      },
    ],
    [
      'with every kind of button',
      {
        ...body('Hello'),
        buttons: [
          reply('Yes'),
          reply('No'),
          site,
          { ...site, text: 'Track', url: 'https://shop.example/t/{{1}}', example: '17' },
          call,
          code,
          mayCall,
        ],
      },
    ],
    ['with quick replies after the others', { ...body('Hello'), buttons: [site, call, reply('Yes'), reply('No')] }],
    [
      'with ten buttons and a request to call',
      { ...body('Hello'), buttons: [...Array.from({ length: 10 }, (_, at) => reply(`Reply ${at}`)), mayCall] },
    ],
  ];
  function places10(): string {
    return Array.from({ length: 10 }, (_, at) => `word {{${at + 1}}}`).join(' ');
  }
  for (const [name, definition] of good) it(`may have ${name}`, () => expect(places(definition)).to.deep.equal([]));

  const broken: readonly [string, TemplateDefinition, string[]][] = [
    ['not closed', body('Hi {{1 there'), ['body.text']],
    ['closed once', body('Hi {{1} there'), ['body.text']],
    ['opened once', body('Hi {1}} there'), ['body.text']],
    ['of single braces', body('Hi {1} there'), ['body.text']],
    ['of three braces', body('Hi {{{1}}} there', 'Asha'), ['body.text']],
    ['without a name', body('Hi {{}} there'), ['body.text']],
    ['of spaces', body('Hi {{ }} there'), ['body.text']],
    ['with spaces around', body('Hi {{ 1 }} there'), ['body.text']],
    ['number 0', body('Hi {{0}} there'), ['body.text']],
    ['number 01', body('Hi {{01}} there'), ['body.text']],
    ['number -1', body('Hi {{-1}} there'), ['body.text']],
    ['number 1.5', body('Hi {{1.5}} there'), ['body.text']],
    ['in capitals', body('Hi {{Name}} there'), ['body.text']],
    ['with a hyphen', body('Hi {{first-name}} there'), ['body.text']],
    ['beginning with _', body('Hi {{_name}} there'), ['body.text']],
    ['beginning with a digit', body('Hi {{1st}} there'), ['body.text']],
    ['in Arabic digits', body('Hi {{١}} there'), ['body.text']],
    ['nested', body('Hi {{a{{1}}}} there', 'Asha'), ['body.text']],
    ['longer than 64', body(`Hi {{${'n'.repeat(65)}}} there`), ['body.text']],
    ['beginning with 2', body('Hi {{2}} there', 'Asha'), ['body.text']],
    ['with a gap', body('Hi {{1}} and {{3}} there', 'Asha', 'Omar'), ['body.text']],
    ['in another order', body('Hi {{2}} and {{1}} there', 'Asha', 'Omar'), ['body.text']],
    ['twice the same number', body('Hi {{1}} and {{1}} there', 'Asha'), ['body.text']],
    ['adjacent', body('Hi {{1}}{{2}} there', 'Asha', 'Omar'), ['body.text']],
    ['with only spaces between', body('Hi {{1}} \n {{2}} there', 'Asha', 'Omar'), ['body.text']],
    ['at the start', body('{{1}} is here', 'Asha'), ['body.text']],
    ['at the end', body('Here is {{1}}', 'Asha'), ['body.text']],
    ['at the end before spaces', body('Here is {{1}}  ', 'Asha'), ['body.text']],
    ['alone', body('{{1}}', 'Asha'), ['body.text']],
    ['without an example', body('Hi {{1}} there'), ['body.examples']],
    ['with one example too few', body('Hi {{1}} and {{2}} there', 'Asha'), ['body.examples']],
    ['with one example too many', body('Hi {{1}} there', 'Asha', 'Omar'), ['body.examples']],
    ['with an empty example', body('Hi {{1}} there', ' '), ['body.examples[0].value']],
    [
      'with a named example for a number',
      named('Hi {{1}} there', { name: '1', value: 'Asha' }),
      ['body.examples[0].name'],
    ],
    ['named without an example', named('Hi {{name}} there'), ['body.examples']],
    [
      'named with a nameless example',
      named('Hi {{name}} there', { value: 'Asha' }),
      ['body.examples', 'body.examples[0].name'],
    ],
    [
      'named with an example too many',
      named('Hi {{a}} there', { name: 'a', value: '1' }, { name: 'b', value: '2' }),
      ['body.examples[1].name'],
    ],
    [
      'named with an example twice',
      named('Hi {{a}} there', { name: 'a', value: '1' }, { name: 'a', value: '2' }),
      ['body.examples[1].name'],
    ],
  ];
  for (const [name, definition, at] of broken)
    it(`has no variable ${name}`, () => expect(places(definition)).to.deep.equal(at));

  it('has variables of one form, in header and body together', () => {
    expect(places(named('Hi {{name}} and {{1}} there', { name: 'name', value: 'Asha' }))).to.include('body.text');
    const header = { format: 'text', text: 'Order {{1}}', examples: [{ value: '17' }] } as const;
    expect(places({ ...named('Hi {{name}} there', { name: 'name', value: 'Asha' }), header })).to.include('body.text');
  });

  it('has at most 20 variables', () => {
    const text = Array.from({ length: 21 }, (_, at) => `word {{${at + 1}}}`).join(' ');
    expect(places(body(`${text}.`, ...Array.from({ length: 21 }, () => 'x')))).to.deep.equal(['body.text']);
  });

  it('reports each problem with path and value', () => {
    expect(definitionProblems(body('Hi {{1 there'), { category: 'utility' })).to.deep.equal([
      {
        message: 'This is not a variable. Write {{1}}, or {{first_name}} in lower case.',
        location: 'body.definition.body.text',
        value: '{{1 there',
      },
    ]);
  });

  it('reports all problems at once', () => {
    const definition: TemplateDefinition = {
      header: { format: 'text', text: 'h'.repeat(61) },
      body: { text: '' },
      footer: { text: 'Bye {{1}}' },
      buttons: [{ type: 'url', text: 'See' }],
      unsupported: ['carousel'],
    };
    expect(places(definition)).to.have.members([
      'unsupported',
      'header.text',
      'body.text',
      'footer.text',
      'buttons[0].url',
    ]);
  });

  it('has a header of one line with at most one variable', () => {
    const examples = [{ value: '1' }, { value: '2' }];
    expect(withHeader({ format: 'text', text: 'A {{1}} B {{2}} C', examples })).to.deep.equal(['header.text']);
    expect(withHeader({ format: 'text', text: 'Two\nlines' })).to.deep.equal(['header.text']);
    expect(withHeader({ format: 'text' })).to.deep.equal(['header.text']);
    expect(withHeader({ format: 'text', text: '{{1}}' })).to.deep.equal(['header.examples']);
  });

  it('has a header with either text or a file', () => {
    expect(withHeader({ format: 'image' })).to.deep.equal(['header.sampleFileId']);
    expect(withHeader({ format: 'video', sampleFileId: SAMPLE, text: 'Look' })).to.deep.equal(['header.text']);
    expect(withHeader({ format: 'text', text: 'Look', sampleFileId: SAMPLE })).to.deep.equal(['header.sampleFileId']);
    expect(withHeader({ format: 'location', examples: [{ value: 'x' }] })).to.deep.equal(['header.examples']);
  });

  it('enforces the lengths of body and footer', () => {
    expect(places(body('b'.repeat(1_025)))).to.deep.equal(['body.text']);
    expect(places({ ...body('Hello'), footer: { text: 'f'.repeat(61) } })).to.deep.equal(['footer.text']);
    expect(places({ ...body('Hello'), footer: {} })).to.deep.equal(['footer.text']);
    expect(places(body('a\n\n\nb'))).to.deep.equal(['body.text']);
    expect(places(body('a     b'))).to.deep.equal(['body.text']);
  });

  it('reserves one-time codes for authentication templates', () => {
    expect(places({ body: { text: 'Hello', addSecurityRecommendation: true } })).to.deep.equal([
      'body.addSecurityRecommendation',
    ]);
    expect(places({ ...body('Hello'), footer: { text: 'Bye', codeExpirationMinutes: 5 } })).to.deep.equal([
      'footer.codeExpirationMinutes',
    ]);
    expect(withButtons({ type: 'otp' })).to.deep.equal(['buttons[0].type']);
  });

  it('has buttons with exactly the fields of each kind', () => {
    expect(withButtons({ type: 'quick_reply' })).to.deep.equal(['buttons[0].text']);
    expect(withButtons({ ...reply('Yes'), url: 'https://a.example' })).to.deep.equal(['buttons[0].url']);
    expect(withButtons(reply('t'.repeat(26)))).to.deep.equal(['buttons[0].text']);
    expect(withButtons(reply('Hi {{1}}'))).to.deep.equal(['buttons[0].text']);
    expect(withButtons(reply('Yes'), reply('Yes'))).to.deep.equal(['buttons[1].text']);
    expect(withButtons({ ...call, phoneNumber: '0611234567' })).to.deep.equal(['buttons[0].phoneNumber']);
    expect(withButtons({ ...call, phoneNumber: 'call me' })).to.deep.equal(['buttons[0].phoneNumber']);
    expect(withButtons({ type: 'copy_code' })).to.deep.equal(['buttons[0].example']);
    expect(withButtons({ ...code, example: 'C'.repeat(16) })).to.deep.equal(['buttons[0].example']);
    expect(withButtons({ ...mayCall, text: 'Call' })).to.deep.equal(['buttons[0].text']);
  });

  it('has URLs with a variable only at the end, with an example', () => {
    const url = (address: string, example?: string) =>
      withButtons({ ...site, url: address, ...(example !== undefined && { example }) });
    expect(url('https://a.example/{{1}}', '17')).to.deep.equal([]);
    expect(url('https://a.example/{{1}}')).to.deep.equal(['buttons[0].example']);
    expect(url('https://a.example/p', '17')).to.deep.equal(['buttons[0].example']);
    expect(url('https://a.example/{{1}}/p', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('https://a.example/{{1}}{{1}}', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('https://a.example/{{2}}', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('https://a.example/{{name}}', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('{{1}}', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('https://{{1}}', '17')).to.deep.equal(['buttons[0].url']);
    expect(url('javascript:alert(1)')).to.deep.equal(['buttons[0].url']);
    expect(url('shop.example')).to.deep.equal(['buttons[0].url']);
    expect(url(`https://a.example/${'p'.repeat(2_000)}`)).to.deep.equal(['buttons[0].url']);
  });

  it('has a limited number of buttons of each kind, in order', () => {
    expect(withButtons(site, site, { ...site, text: 'More' })).to.deep.equal(['buttons[2].type']);
    expect(withButtons(call, call)).to.deep.equal(['buttons[1].type']);
    expect(withButtons(code, code)).to.deep.equal(['buttons[1].type']);
    expect(withButtons(...Array.from({ length: 11 }, (_, at) => reply(`Reply ${at}`)))).to.deep.equal(['buttons']);
    expect(withButtons(reply('Yes'), site, reply('No'))).to.deep.equal(['buttons']);
    expect(withButtons(site, reply('Yes'), call)).to.deep.equal(['buttons']);
    expect(withButtons(mayCall, reply('Yes'))).to.deep.equal(['buttons[0].type']);
    expect(withButtons(mayCall, mayCall)).to.include('buttons[1].type');
  });

  it('for codes has an expiry, a sentence and one button', () => {
    const otp: TemplateDefinition = { body: {}, buttons: [{ type: 'otp' }] };
    const problems = (definition: TemplateDefinition) => places(definition, 'authentication');
    expect(problems(otp)).to.deep.equal([]);
    expect(
      problems({ ...otp, body: { addSecurityRecommendation: true }, footer: { codeExpirationMinutes: 10 } }),
    ).to.deep.equal([]);
    expect(problems({ ...otp, buttons: [{ type: 'otp', text: 'Copy it' }] })).to.deep.equal([]);
    expect(problems({ ...otp, body: { text: 'My own words {{1}}.' } })).to.deep.equal(['body.text']);
    expect(problems({ ...otp, header: { format: 'text', text: 'Hi' } })).to.deep.equal(['header']);
    expect(problems({ ...otp, footer: { text: 'Bye' } })).to.deep.equal([
      'footer.text',
      'footer.codeExpirationMinutes',
    ]);
    expect(problems({ body: {} })).to.deep.equal(['buttons']);
    expect(problems({ body: {}, buttons: [{ type: 'otp' }, { type: 'otp' }] })).to.deep.equal(['buttons']);
    expect(problems({ body: {}, buttons: [site] })).to.deep.equal(['buttons']);
    expect(problems({ body: {}, buttons: [{ type: 'otp', url: 'https://a.example' }] })).to.deep.equal([
      'buttons[0].url',
    ]);
  });

  it("for codes shows the provider's text, and accepts it back unchanged", () => {
    const requested: TemplateDefinition = {
      body: {},
      footer: { codeExpirationMinutes: 10 },
      buttons: [{ type: 'otp' }],
    };
    const stored = normalDefinition(requested, { category: 'authentication' });
    expect(stored.body.text).to.equal('*{{1}}* is your verification code.');
    expect(stored.footer).to.deep.equal({ text: 'This code expires in 10 minutes.', codeExpirationMinutes: 10 });
    const current: TemplateDefinition = { ...stored, body: { text: 'رمزك هو *{{1}}*.' } };
    expect(definitionProblems(current, { category: 'authentication', current })).to.deep.equal([]);
    expect(normalDefinition(requested, { category: 'authentication', current }).body.text).to.equal('رمزك هو *{{1}}*.');
    const none = normalDefinition(
      { ...requested, footer: { codeExpirationMinutes: 0 } },
      { category: 'authentication' },
    );
    expect(none).not.to.have.property('footer');
  });

  it('is stored without empty lists, and with the form of its variables', () => {
    const stored = normalDefinition({ body: { text: 'Hello', examples: [] }, buttons: [] }, { category: 'utility' });
    expect(stored).to.deep.equal({ body: { text: 'Hello' } });
    expect(formatOf(stored)).to.equal('positional');
    expect(formatOf(named('Hi {{a}}!'))).to.equal('named');
  });
});
