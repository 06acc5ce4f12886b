/** Schemas of messages to send. (Specification 2, 'Send body', 'Start body'.) */
import type { SendInput } from '../../../application/channel/outboundContent.js';
import { Closed, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { TemplateComponents } from '../templates/componentSchemas.js';
import { ConversationBody, MessageBody } from './schemas.js';

export const TemplateSendBody = Named(
  'TemplateSendBody',
  Closed({ templateId: Uuid, components: Type.Optional(TemplateComponents) }),
);

const sendBody = Closed({
  clientMsgId: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9._:-]+$',
    description: 'Sending it again returns the message already queued, whatever else the body says.',
  }),
  type: OneOf('text', 'image', 'video', 'audio', 'document', 'sticker', 'template'),
  text: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'The message, or the caption of an image, video or document; a caption has at most 1,024 characters. Not blank; absent with a template.',
    }),
  ),
  media: Type.Optional(
    Closed({
      fileId: Type.String({ format: 'uuid', description: 'An uploaded file, of a kind that fits the type.' }),
      filename: Type.Optional(
        Type.String({ maxLength: 240, description: 'Shown for documents; made safe as names of uploads are.' }),
      ),
    }),
  ),
  replyToMessageId: Type.Optional(Type.String({ format: 'uuid', description: 'A message of this conversation.' })),
  template: Type.Optional(TemplateSendBody),
});

/** Fields required by a type are checked after it is known that the message is new. */
export const SendBody = Named('SendBody', Type.Unsafe<SendInput>(sendBody));

export const StartInputBody = Named(
  'StartInputBody',
  Closed({
    phone: Type.String({ minLength: 3, maxLength: 32, description: 'With country code.' }),
    message: SendBody,
    teamId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: "The team the conversation belongs to; the routing's default team when it is one of yours.",
      }),
    ),
  }),
);

export const StartOutputBody = Named(
  'StartOutputBody',
  Type.Object({ conversation: ConversationBody, message: MessageBody }),
);
