/** The parameters of a template as sending takes them, stored with the messages that were sent. Add fields as optional. */
import { Named, OneOf, Type } from '../schema.js';
import { Decimal, Either, List, Maybe, Shape, type Stored, Text, Whole } from '../storedEvents.js';

const parameterName = Maybe(Text());

const TemplateParameter = Named(
  'TemplateParameter',
  Either(
    Type.Object({ type: Type.Literal('text'), text: Text(), parameterName }),
    Type.Object({
      type: Type.Literal('currency'),
      currency: Type.Object({
        amount1000: Whole('amount × 1000'),
        code: Text('ISO 4217.'),
        fallbackValue: Text(),
      }),
      parameterName,
    }),
    Type.Object({
      type: Type.Literal('date_time'),
      dateTime: Type.Object({ fallbackValue: Text() }),
      parameterName,
    }),
    Type.Object({
      type: OneOf('image', 'video', 'document'),
      media: Type.Object({
        link: Maybe(Text('Public https. Exactly one of this and `fileId`.')),
        fileId: Maybe(Text('An uploaded file.')),
        filename: Maybe(Text()),
      }),
    }),
    Type.Object({
      type: Type.Literal('location'),
      location: Type.Object({
        latitude: Decimal(),
        longitude: Decimal(),
        name: Maybe(Text()),
        address: Maybe(Text()),
      }),
    }),
    Type.Object({
      type: Type.Literal('payload'),
      payload: Text('Comes back when a quick reply is tapped.'),
    }),
    Type.Object({ type: Type.Literal('coupon_code'), couponCode: Text() }),
  ),
);
/**
 * One value for a variable. (Specification 2, 'Templates': parameter value shapes.) Of a currency, `amount1000` is amount ×
 * 1000 and `code` ISO 4217; media are for a header, with exactly one of `link` (public https) and `fileId` (an uploaded file).
 */
export type TemplateParameter = Stored<typeof TemplateParameter>;

export const TemplateComponent = Shape('TemplateComponent', {
  type: OneOf('header', 'body', 'button'),
  subType: Maybe(OneOf('quick_reply', 'url', 'copy_code'), 'With `button`.'),
  index: Maybe(Whole('Place of the button, from 0.')),
  parameters: Maybe(List(TemplateParameter)),
});
export type TemplateComponent = Stored<typeof TemplateComponent>;
