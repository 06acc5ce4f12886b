/** Shapes of message templates. (Specification 2, 'Templates'.) */
import { defined } from '../../../domain/defined.js';
import type { TemplateDefinition } from '../../../domain/templates/templateDefinition.js';
import { Closed, DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { TemplateComponents } from './componentSchemas.js';

const orNone = Type.Optional;
const upTo = (maxLength: number, description?: string) =>
  orNone(Type.String({ maxLength, ...defined({ description }) }));

const Example = Closed({
  value: Type.String({ maxLength: 200 }),
  name: upTo(64, 'Name of the variable, for named variables.'),
});
const examples = (maxItems: number, description: string) => orNone(Type.Array(Example, { maxItems, description }));

const Header = Closed({
  format: OneOf('text', 'image', 'video', 'document', 'location'),
  text: upTo(60, 'With text; at most one variable.'),
  examples: examples(1, 'For the variable of the text.'),
  sampleFileId: orNone(
    Type.String({ format: 'uuid', description: 'With image, video and document: an uploaded file, for the review.' }),
  ),
});

const BodyPart = Closed({
  text: upTo(1024, 'Not blank. Of an authentication template the provider writes it: leave it out.'),
  examples: examples(20, 'One for each variable: in their order, or by name.'),
  addSecurityRecommendation: orNone(
    Type.Boolean({ description: 'Authentication templates only: adds that the code is not to be shared.' }),
  ),
});

const Footer = Closed({
  text: upTo(60),
  codeExpirationMinutes: orNone(
    Int64({ minimum: 0, maximum: 90, description: 'Authentication templates only; 0: no footer.' }),
  ),
});

const Button = Closed({
  type: Type.Unsafe<'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request'>({
    type: 'string',
    enum: ['quick_reply', 'url', 'phone_number', 'copy_code', 'otp', 'voice_call_request'],
    description: 'voice_call_request asks the customer for call permission and is always the last.',
  }),
  text: upTo(25),
  url: upTo(2000, 'May end with {{1}}.'),
  phoneNumber: upTo(32, 'With country code.'),
  example: upTo(200, 'Of url: the value of {{1}}, or the whole address; of copy_code: a code.'),
});

export const TemplateDefinitionBody = Named(
  'TemplateDefinitionBody',
  Type.Unsafe<TemplateDefinition>(
    Closed({
      body: BodyPart,
      header: orNone(Header),
      footer: orNone(Footer),
      buttons: orNone(Type.Array(Button, { maxItems: 11 })),
      unsupported: orNone(
        Type.Array(Type.String(), {
          description: 'Parts shown but not editable or sendable, such as carousels. Empty in requests.',
        }),
      ),
    }),
  ),
);

const Category = OneOf('marketing', 'utility', 'authentication');
const Name = Type.String({ minLength: 1, maxLength: 512, pattern: '^[a-z0-9_]+$' });
const Language = Type.String({
  minLength: 2,
  maxLength: 16,
  description: "The channel's language code, such as en_US.",
});

export const CreateInputBody2 = Named(
  'CreateInputBody2',
  Closed({ name: Name, language: Language, category: Category, definition: TemplateDefinitionBody }),
);

export const EditInputBody = Named(
  'EditInputBody',
  Closed({
    definition: TemplateDefinitionBody,
    category: orNone(
      Type.Unsafe<'marketing' | 'utility'>({
        type: 'string',
        enum: ['marketing', 'utility'],
        description: 'Unchanged when absent.',
      }),
    ),
  }),
);

export const TemplateBody = Named(
  'TemplateBody',
  Type.Object({
    id: Uuid,
    name: Name,
    language: Language,
    category: Category,
    definition: TemplateDefinitionBody,
    parameterFormat: OneOf('positional', 'named'),
    status: OneOf(
      'submitting',
      'submit_failed',
      'pending',
      'approved',
      'rejected',
      'paused',
      'disabled',
      'in_appeal',
      'pending_deletion',
      'limit_exceeded',
      'archived',
      'deleting',
    ),
    editPending: Type.Boolean({
      description: 'An edit is on its way to the provider; of an approved template, until the provider has decided.',
    }),
    createdAt: DateTime,
    updatedAt: DateTime,
    quality: orNone(Type.String({ description: "The provider's rating, such as GREEN." })),
    rejectedReason: orNone(Type.String()),
    errorCode: orNone(
      Type.String({ description: 'Error code of the last submission, edit or deletion that the provider refused.' }),
    ),
    errorMessage: orNone(Type.String()),
    syncedAt: orNone(Type.String({ format: 'date-time', description: 'Last compared with the provider.' })),
  }),
);

export const ListOutputBody3 = Named(
  'ListOutputBody3',
  Type.Object({
    templates: Type.Array(TemplateBody, { description: 'By name, then language.' }),
    next: orNone(Type.String({ description: 'Cursor of the next page; absent on the last one.' })),
    syncedAt: orNone(Type.String({ format: 'date-time', description: 'Last compared with the provider.' })),
    syncError: orNone(Type.String({ description: 'Why the last comparison failed.' })),
  }),
);

export const PreviewInputBody = Named(
  'PreviewInputBody',
  Closed({ components: orNone(TemplateComponents) }, { description: 'The parameters, in the form of sendMessage.' }),
);

const RenderedMedia = Type.Object({
  link: orNone(Type.String()),
  fileId: orNone(Uuid),
  filename: orNone(Type.String()),
});

export const PreviewOutputBody = Named(
  'PreviewOutputBody',
  Type.Object({
    templateId: Uuid,
    body: Type.String(),
    buttons: Type.Array(
      Type.Object({
        type: Button.properties.type,
        text: orNone(Type.String()),
        url: orNone(Type.String()),
        phoneNumber: orNone(Type.String()),
        code: orNone(Type.String({ description: 'What the button copies.' })),
        payload: orNone(Type.String({ description: 'Returned when the quick reply is tapped.' })),
      }),
    ),
    text: Type.String({ description: 'Header, body and footer as plain text.' }),
    header: orNone(
      Type.Object({
        format: Header.properties.format,
        text: orNone(Type.String()),
        media: orNone(RenderedMedia),
        location: orNone(
          Type.Object({
            latitude: Type.Number({ format: 'double' }),
            longitude: Type.Number({ format: 'double' }),
            name: orNone(Type.String()),
            address: orNone(Type.String()),
          }),
        ),
      }),
    ),
    footer: orNone(Type.String()),
  }),
);
