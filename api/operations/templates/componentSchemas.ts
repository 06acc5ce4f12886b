/** Parameters of a template, as sending and previewing take them. (Specification 2, 'Templates': component, parameter.) */
import type { TemplateComponent } from '../../../domain/channel/templateComponents.js';
import { Closed, Int64, Named, OneOf } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const orNone = Type.Optional;

const Currency = Closed({
  amount1000: Int64({ description: 'The amount × 1000.' }),
  code: Type.String({ minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
  fallbackValue: text(64, 'What is shown.'),
});

const Media = Closed({
  link: orNone(Type.String({ maxLength: 2000, pattern: '^https://\\S+$', description: 'Public; or fileId.' })),
  fileId: orNone(Type.String({ format: 'uuid', description: 'An uploaded file of the store; or link.' })),
  filename: orNone(text(240, 'Of a document, as it is shown.')),
});

const Location = Closed({
  latitude: Type.Number({ format: 'double', minimum: -90, maximum: 90 }),
  longitude: Type.Number({ format: 'double', minimum: -180, maximum: 180 }),
  name: orNone(Type.String({ maxLength: 100 })),
  address: orNone(Type.String({ maxLength: 200 })),
});

const Parameter = Named(
  'TemplateParameterBody',
  Closed(
    {
      type: OneOf('text', 'currency', 'date_time', 'image', 'video', 'document', 'location', 'payload', 'coupon_code'),
      parameterName: orNone(text(64, 'Of a named variable; with text, currency and date_time.')),
      text: orNone(
        text(
          1024,
          'With text: for variables of the header, the body, and the address of a button. Not blank; no line breaks, no tabs, no more than four spaces in a row.',
        ),
      ),
      currency: orNone(Currency),
      dateTime: orNone(Closed({ fallbackValue: text(64, 'What is shown.') })),
      media: orNone(Media),
      location: orNone(Location),
      payload: orNone(text(256, 'With payload: returned when the quick reply is tapped.')),
      couponCode: orNone(text(15, 'With coupon_code: what the button copies.')),
    },
    { description: 'One value; exactly the member that belongs to its type is given.' },
  ),
);

/** The parts of a template that have parameters; at most 12. */
export const TemplateComponents = Type.Unsafe<readonly TemplateComponent[]>(
  Type.Array(
    Named(
      'TemplateComponentBody',
      Closed({
        type: OneOf('header', 'body', 'button'),
        subType: orNone(OneOf('quick_reply', 'url', 'copy_code')),
        index: orNone(
          Int64({ minimum: 0, maximum: 9, description: "With button: its place among the template's, from 0." }),
        ),
        parameters: orNone(Type.Array(Parameter, { maxItems: 20, description: 'In the order of the variables.' })),
      }),
    ),
    { maxItems: 12 },
  ),
);
