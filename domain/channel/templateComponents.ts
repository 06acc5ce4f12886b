/** Parameters of a template, stored with the messages that were sent. Add fields as optional. */
import { Named, OneOf, Type } from '../schema.js';
import {
  Code,
  Decimal,
  Either,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';

const parameterName = Maybe(Label());

const TemplateParameter = Named(
  'TemplateParameter',
  Either(
    Type.Object({ type: Type.Literal('text'), text: Personal('text', Text()), parameterName }),
    Type.Object({
      type: Type.Literal('currency'),
      currency: Type.Object({
        amount1000: Whole('amount × 1000'),
        code: Code('ISO 4217.'),
        fallbackValue: Personal('text', Text()),
      }),
      parameterName,
    }),
    Type.Object({
      type: Type.Literal('date_time'),
      dateTime: Type.Object({ fallbackValue: Personal('text', Text()) }),
      parameterName,
    }),
    Type.Object({
      type: OneOf('image', 'video', 'document'),
      media: Type.Object({
        link: Maybe(Personal('file', Text('Public https. Exactly one of this and `fileId`.'))),
        fileId: Maybe(Id('An uploaded file.')),
        filename: Maybe(Personal('file', Text())),
      }),
    }),
    Type.Object({
      type: Type.Literal('location'),
      location: Type.Object({
        latitude: Personal('place', Decimal()),
        longitude: Personal('place', Decimal()),
        name: Maybe(Personal('place', Text())),
        address: Maybe(Personal('address', Text())),
      }),
    }),
    Type.Object({
      type: Type.Literal('payload'),
      payload: Personal('text', Text('Comes back when a quick reply is tapped.')),
    }),
    Type.Object({ type: Type.Literal('coupon_code'), couponCode: Code() }),
  ),
);
/**
 * Value of one variable. (Specification 2, 'Templates': parameter value shapes.) In a currency, `amount1000` is amount × 1000 and `code` is
 * ISO 4217. Media are for a header, with exactly one of `link` (public https) and `fileId` (an uploaded file).
 */
export type TemplateParameter = Stored<typeof TemplateParameter>;

export const TemplateComponent = Shape('TemplateComponent', {
  type: OneOf('header', 'body', 'button'),
  subType: Maybe(OneOf('quick_reply', 'url', 'copy_code'), 'With `button`.'),
  index: Maybe(Whole('Place of the button, from 0.')),
  parameters: Maybe(List(TemplateParameter)),
});
export type TemplateComponent = Stored<typeof TemplateComponent>;
