/** The preview matches the channel's rendering of the sent message. Submitted templates follow the channel's rules. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { TemplateComponent, TemplateParameter } from '../../domain/channel/templateComponents.js';
import { definitionProblems, formatOf } from '../../domain/templates/definitionRules.js';
import type { TemplateButton, TemplateDefinition } from '../../domain/templates/templateDefinition.js';
import { renderTemplate } from '../../domain/templates/templateRendering.js';
import { messagePayload } from '../../infrastructure/channel/outboundFormat.js';
import { templateComponents } from '../../infrastructure/channel/templateComponents.js';
import { listedTemplate } from '../../infrastructure/channel/templateReading.js';
import { readTemplate } from '../../infrastructure/sandbox/templateParts.js';
import { checkedContent } from '../../infrastructure/sandbox/templateRules.js';

const SAMPLE = '00000000-0000-4000-8000-00000000005a';
const word = fc.constantFrom('Asha', 'Order 17', '{{1}}', '$&', 'سلام', '😀', '{{name}}', 'a_b*c', '"quoted"', '\\');

interface Case {
  readonly definition: TemplateDefinition;
  readonly components: readonly TemplateComponent[];
}

const parameter = (text: string, name: string | undefined, as: number): TemplateParameter => {
  const named = name === undefined ? {} : { parameterName: name };
  if (as === 1)
    return { type: 'currency', currency: { amount1000: 1_000, code: 'USD', fallbackValue: text }, ...named };
  if (as === 2) return { type: 'date_time', dateTime: { fallbackValue: text }, ...named };
  return { type: 'text', text, ...named };
};

/** Valid templates with matching parameters. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    named: fc.boolean(),
    values: fc.array(fc.tuple(word, fc.nat(2)), { maxLength: 6 }),
    header: fc.constantFrom('none', 'text', 'variable', 'image', 'location'),
    headerValue: word,
    footer: fc.boolean(),
    replies: fc.array(fc.boolean(), { maxLength: 3 }),
    urls: fc.array(fc.tuple(fc.boolean(), fc.constantFrom('17', 'a/b', '$&')), { maxLength: 2 }),
    copies: fc.boolean(),
    asksToCall: fc.boolean(),
  })
  .map((given) => {
    const nameOf = (at: number): string => (given.named ? `name_${at}` : String(at + 1));
    const example = (at: number) => ({ value: 'x', ...(given.named && { name: nameOf(at) }) });
    const name = (at: number): string | undefined => (given.named ? nameOf(at) : undefined);
    const text = `Begin${given.values.map((_, at) => ` w${at} {{${nameOf(at)}}}`).join('')}. End`;
    const buttons: TemplateButton[] = given.replies.map((_, at) => ({ type: 'quick_reply', text: `Reply ${at}` }));
    const components: TemplateComponent[] = [];
    given.replies.forEach((withPayload, index) => {
      if (!withPayload) return;
      const parameters: TemplateParameter[] = [{ type: 'payload', payload: `p${index}` }];
      components.push({ type: 'button', subType: 'quick_reply', index, parameters });
    });
    for (const [variable, value] of given.urls) {
      const index = buttons.length;
      const url = `https://a.example/${variable ? '{{1}}' : 'p'}`;
      buttons.push({ type: 'url', text: `Go ${index}`, url, ...(variable && { example: '17' }) });
      if (variable)
        components.push({ type: 'button', subType: 'url', index, parameters: [{ type: 'text', text: value }] });
    }
    if (given.copies) {
      const parameters: TemplateParameter[] = [{ type: 'coupon_code', couponCode: 'EID10' }];
      components.push({ type: 'button', subType: 'copy_code', index: buttons.length, parameters });
      buttons.push({ type: 'copy_code', example: 'EID' });
    }
    if (given.asksToCall) buttons.push({ type: 'voice_call_request' });
    if (given.values.length > 0)
      components.push({ type: 'body', parameters: given.values.map(([one, as], at) => parameter(one, name(at), as)) });
    const headerName = given.named ? 'name_h' : '1';
    const header = {
      none: undefined,
      text: { format: 'text', text: 'Welcome' },
      variable: {
        format: 'text',
        text: `For {{${headerName}}}`,
        examples: [{ value: 'x', ...(given.named && { name: headerName }) }],
      },
      image: { format: 'image', sampleFileId: SAMPLE },
      location: { format: 'location' },
    }[given.header] as TemplateDefinition['header'];
    const headed: Readonly<Record<string, TemplateParameter>> = {
      variable: parameter(given.headerValue, given.named ? headerName : undefined, 0),
      image: { type: 'image', media: { link: 'https://a.example/p.jpg' } },
      location: { type: 'location', location: { latitude: 2.04, longitude: 45.34 } },
    };
    const first = headed[given.header];
    if (first !== undefined) components.push({ type: 'header', parameters: [first] });
    const examples = given.values.map((_, at) => example(at));
    const definition: TemplateDefinition = {
      ...(header && { header }),
      body: { text, ...(examples.length > 0 && { examples }) },
      ...(given.footer && { footer: { text: 'Bye' } }),
      ...(buttons.length > 0 && { buttons }),
    };
    return { definition, components };
  });

const contentOf = (definition: TemplateDefinition) => ({
  category: 'utility' as const,
  definition,
  parameterFormat: formatOf(definition),
});

/** Returns a template as the provider stores it. */
const stored = (definition: TemplateDefinition) => {
  const components = templateComponents({ ...contentOf(definition), sampleHandle: 'handle' });
  const submitted = JSON.parse(
    JSON.stringify({ category: 'UTILITY', parameter_format: formatOf(definition), components }),
  );
  return checkedContent(submitted, undefined, (handle) => handle === 'handle');
};

describe('a previewed template', () => {
  it('equals the template as sent', () => {
    fc.assert(
      fc.property(cases, ({ definition, components }) => {
        const shown = renderTemplate({ ...contentOf(definition), language: 'en' }, components);
        const content = {
          type: 'template',
          name: 't',
          language: 'en',
          body: [],
          text: shown.text,
          components,
        } as const;
        const sent = JSON.parse(
          JSON.stringify(messagePayload({ to: { phone: '+252611000001' }, content, messageId: 'm' })),
        );
        const read = readTemplate({ ...stored(definition), name: 't', language: 'en' } as never, sent.template);
        const { header, body, footer, text } = shown;
        expect([read.header, read.text, read.footer]).to.deep.equal([header?.text, body, footer]);
        expect([read.header, read.text, read.footer].filter(Boolean).join('\n\n')).to.equal(text);
        const payloads = shown.buttons.flatMap(({ payload }) => payload ?? []);
        expect(
          read.buttons.flatMap((button) => button.payload ?? []).filter((one) => payloads.includes(one)),
        ).to.deep.equal(payloads);
        expect(read.media).to.deep.equal(header?.media);
      }),
      { numRuns: 300 },
    );
  });

  it('can be submitted, is accepted by the provider, and is the same when read back', () => {
    fc.assert(
      fc.property(cases, ({ definition }) => {
        expect(definitionProblems(definition, { category: 'utility' })).to.deep.equal([]);
        const { components, parameterFormat } = stored(definition);
        const row = { id: '7', name: 't', language: 'en', category: 'UTILITY', status: 'APPROVED' };
        const back = listedTemplate({ ...row, components, parameter_format: parameterFormat })!;
        const { header, ...rest } = definition;
        const { sampleFileId: _, ...headed } = header ?? {};
        const urls = rest.buttons?.map((button) =>
          button.type === 'url' && button.example !== undefined
            ? { ...button, example: 'https://a.example/17' }
            : button,
        );
        expect(back.definition).to.deep.equal({
          ...rest,
          ...(header && { header: headed }),
          ...(urls && { buttons: urls }),
        });
        expect(back.parameterFormat).to.equal(formatOf(definition));
      }),
      { numRuns: 200 },
    );
  });

  it('without one of its parameters is rejected', () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ definition, components }, at) => {
        const needed = components.filter(({ subType }) => subType !== 'quick_reply');
        if (needed.length === 0) return;
        const without = needed.filter((_, index) => index !== at % needed.length);
        expect(() => renderTemplate({ ...contentOf(definition), language: 'en' }, without))
          .to.throw()
          .with.property('code', 'template_parameters_invalid');
      }),
    );
  });
});
