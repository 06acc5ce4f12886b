/** OpenAPI entries of the events that are posted to endpoints. */
import type { TSchema } from 'typebox';
import { defined } from '../../domain/defined.js';
import type { Components, JsonObject } from './components.js';
import type { Examples } from './reference/examples.js';

const header = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** Tag of the webhooks: generators put each tag into one file, which separates them from operations. */
export const EVENTS_TAG = 'Webhook events';

/** (Specification 2, 'Delivery'.) */
const HEADERS: readonly JsonObject[] = [
  header(
    'Service-Signature',
    'Time of the attempt in seconds since 1970 and, for each valid secret, the hex HMAC-SHA256 of `{t}.{body}`.',
    { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  ),
  header('Service-Event-Id', 'The id of the event, as in the body.', { type: 'string', format: 'uuid' }),
  header('Service-Event-Type', 'The type of the event, as in the body.', { type: 'string' }),
  header('Service-Delivery-Attempt', 'From 1.', { type: 'integer', minimum: 1 }),
];

/** `webhooks` of the document, by event type; each schema is placed among the components, and so is `WebhookEvent`, any of them. */
export function webhooksOf(
  events: Readonly<Record<string, TSchema>>,
  components: Components,
  examples: Examples,
): JsonObject {
  const mapping: Record<string, string> = {};
  const webhooks = Object.entries(events).map(([type, schema]) => {
    const { description } = schema as { description?: string };
    const placed = components.place(schema);
    const name = (placed.$ref as string).replace(/^.*\//, '');
    mapping[type] = placed.$ref as string;
    const content = { schema: placed, ...examples.ofEvent(type, name) };
    const post = {
      operationId: `on${name.replace(/Event$/, '')}`,
      summary: `An event of the type ${type}.`,
      ...defined({ description }),
      tags: [EVENTS_TAG],
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': content } },
      responses: {
        '2XX': {
          description:
            'Accepted. After any other status, or no answer within 10 seconds, the event is retried for 72 hours.',
        },
        default: { description: 'Not accepted.' },
      },
    };
    return [type, { post }];
  });
  components.schemas.WebhookEvent = {
    description: 'Payload of a webhook delivery.',
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
  };
  return Object.fromEntries(webhooks);
}
