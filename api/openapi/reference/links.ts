/** The document's links: from what an answer names to the operations about it, so that tools walk from one to the next. */

import type { Operation } from '../../contract/operation.js';
import { type Route, routeOf } from '../../contract/routes.js';
import type { JsonObject } from '../components.js';

type Pointers = Readonly<Record<string, string>>;

/** Parameters that an answer provides, with their places, by schema. */
const NAMED: Readonly<Record<string, Pointers>> = {
  StoreBody: { externalRef: '/externalRef', workspaceId: '/workspaceId' },
  StoresBody: { externalRef: '/stores/0/externalRef' },
  PartnerMemberBody: { externalRef: '/externalRef', partnerUserId: '/partnerUserId' },
  TeamsBody: { teamId: '/teams/0/id' },
  UpsertResultBody: { externalId: '/externalId' },
  ProductsBody: { externalId: '/products/0/externalId' },
  NumberListBody: { listId: '/id' },
  NumberListsBody: { listId: '/lists/0/id' },
  PromotionBody: { promotionId: '/id', listId: '/numberListId' },
  PromotionsBody: { promotionId: '/promotions/0/id' },
  StoreOrderBody: { orderId: '/id', conversationId: '/conversationId' },
  StoreOrdersBody: { orderId: '/orders/0/id' },
  ConversationBody: { conversationId: '/id' },
  ConversationListOutputBody: { conversationId: '/conversations/0/id' },
  StartOutputBody: { conversationId: '/conversation/id' },
  MessageBody: { conversationId: '/conversationId', fileId: '/media/fileId' },
  FileBody: { fileId: '/id' },
  RecordingBody: { recordingId: '/id' },
  RecordingsBody: { recordingId: '/recordings/0/id' },
  TemplateBody: { templateId: '/id' },
  ListOutputBody3: { templateId: '/templates/0/id' },
  WebhookEndpointBody: { endpointId: '/id' },
  WebhookEndpointsOutputBody: { endpointId: '/endpoints/0/id' },
  WebhookSecretOutputBody: { endpointId: '/endpoint/id' },
  WebhookTestOutputBody: { eventId: '/eventId' },
  WebhookDeliveriesOutputBody: { eventId: '/deliveries/0/eventId' },
};

interface Target {
  readonly operation: Operation;
  readonly route: Route;
}

/**
 * Returns the source of each parameter of the target's path; undefined if one is missing, or if none comes from the
 * answer.
 */
function parametersOf(from: Route, { route }: Target, named: Pointers): Record<string, string> | undefined {
  // `endpointId` means another endpoint in a store than with a partner.
  const known = from.about === route.about ? new Set(from.params) : new Set<string>();
  const store: Pointers = named.workspaceId === undefined ? {} : { workspaceId: named.workspaceId };
  const sources = from.about === route.about ? named : store;
  if (!route.params.some((name) => name in sources)) return undefined;
  const values: Record<string, string> = {};
  for (const name of route.params) {
    if (name in sources) values[name] = `$response.body#${sources[name]}`;
    else if (known.has(name)) values[name] = `$request.path.${name}`;
    else return undefined;
  }
  return values;
}

/** Parameters of the query that a request cannot do without. */
const neededOf = ({ query = {} }: Operation): string[] =>
  Object.keys(query).filter((name) => !('~optional' in query[name]!));

/** Returns true for reads: links of a new store lead to those. */
const isReading = ({ route, operation }: Target): boolean =>
  route.method === 'GET' && Object.values(operation.answers).every((answer) => answer !== 'file');

/** Links of the answers that have this schema. `schema`: its name, undefined when the answer has none. */
export type LinksOf = (operation: Operation, schema: string | undefined) => JsonObject;

function nextPage(operation: Operation, { params }: Route): Record<string, JsonObject> {
  if (operation.query === undefined || !('cursor' in operation.query)) return {};
  const own = [
    ...params.map((name) => [name, `$request.path.${name}`]),
    ...neededOf(operation).map((name) => [name, `$request.query.${name}`]),
  ];
  const parameters = { ...Object.fromEntries(own), cursor: '$response.body#/next' };
  const description = 'The next page, with the same filters.';
  return { nextPage: { operationId: operation.id, description, parameters } };
}

export function linksAmong(operations: readonly Operation[]): LinksOf {
  const targets = operations.map((operation): Target => ({ operation, route: routeOf(operation) }));
  return (operation, schema) => {
    const from = routeOf(operation);
    const named = NAMED[schema ?? ''] ?? {};
    const links = nextPage(operation, from);
    for (const target of targets) {
      // The answer does not provide further required fields.
      if (target.operation === operation || neededOf(target.operation).length > 0) continue;
      if (from.about !== target.route.about && !isReading(target)) continue;
      const parameters = parametersOf(from, target, named);
      if (parameters === undefined) continue;
      const { id, summary } = target.operation;
      links[id] = { operationId: id, description: summary, parameters };
    }
    return Object.keys(links).length === 0 ? {} : { links };
  };
}
