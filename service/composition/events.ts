/** Every event that this service stores, by area and stream: what docs/reference/events.md, the recorded shapes and upcasting come from. */

import { memberEvents } from '../../domain/access/memberEvents.js';
import { sessionEvents } from '../../domain/access/sessionEvents.js';
import { catalogEvents, catalogSyncEvents } from '../../domain/catalog/catalogEvents.js';
import { conversationEvents } from '../../domain/channel/conversationEvents.js';
import { customerKeyEvents } from '../../domain/channel/customerKey.js';
import { recordingEvents } from '../../domain/channel/recordingEvents.js';
import { setAsideEvents } from '../../domain/channel/setAsideUpdates.js';
import { consoleReadEvents, consoleSessionEvents } from '../../domain/console/consoleEvents.js';
import type { EvolvedEvents } from '../../domain/decider.js';
import { deliveryEvents } from '../../domain/delivery/deliveryEvents.js';
import { fileEvents } from '../../domain/files/fileEvents.js';
import { storageEvents } from '../../domain/files/storageEvents.js';
import { nameEvents } from '../../domain/nameEvents.js';
import { numberListEvents } from '../../domain/numberLists/numberListEvents.js';
import { orderEvents, orderNumberEvents } from '../../domain/orders/orderEvents.js';
import {
  partnerEvents,
  partnerSlugEvents,
  partnerStoreEvents,
  planEvents,
} from '../../domain/partners/partnerEvents.js';
import { paymentSettingsEvents } from '../../domain/payments/paymentEvents.js';
import { paymentPromptEvents } from '../../domain/payments/promptEvents.js';
import { dataExportEvents } from '../../domain/privacy/dataExports.js';
import { personEvents } from '../../domain/privacy/person.js';
import { retentionEvents } from '../../domain/privacy/retention.js';
import { promotionEvents } from '../../domain/promotions/promotionEvents.js';
import { type EventDefinitions, evolvedOf } from '../../domain/storedEvents.js';
import { channelNumberEvents, storeEvents } from '../../domain/stores/storeEvents.js';
import { templateEvents, templateSyncEvents } from '../../domain/templates/templateEvents.js';
import { webhookEndpointEvents, webhookPlacesEvents } from '../../domain/webhooks/webhookEvents.js';
import { settlementEvents } from '../../engine/processors/tasks/settlement.js';
import { processorSkipEvents, projectionSkipEvents } from '../../engine/skipping/skippedEvents.js';

export interface EventStream {
  /** Folder of the domain, or the engine. */
  readonly area: string;
  /** Streams of this kind; the name up to the first '-' is the category. */
  readonly stream: string;
  readonly about: string;
  readonly events: EventDefinitions;
}

export const eventStreams: readonly EventStream[] = [
  { area: 'access', stream: 'members-{workspaceId}', about: 'Members and teams of a store.', events: memberEvents },
  {
    area: 'access',
    stream: 'session-{sessionId}',
    about: 'An SDK session, with hashes of its tokens.',
    events: sessionEvents,
  },
  {
    area: 'catalog',
    stream: 'catalog-{workspaceId}',
    about: "A store's products and categories.",
    events: catalogEvents,
  },
  {
    area: 'catalog',
    stream: 'catalogSync-{workspaceId}',
    about: 'Review results of the catalog provider, up to 500 items per event.',
    events: catalogSyncEvents,
  },
  {
    area: 'channel',
    stream: 'conversation-{conversationId}',
    about: 'Messages between a number of the store and a customer.',
    events: conversationEvents,
  },
  {
    area: 'channel',
    stream: 'customer-{id derived with a secret from the store, the kind and the value}',
    about: 'Mapping of a phone number or a user id to a customer of a store.',
    events: customerKeyEvents,
  },
  {
    area: 'channel',
    stream: 'setAside-{id derived from the number and the update}',
    about: 'A message or a call that belongs to no conversation.',
    events: setAsideEvents,
  },
  {
    area: 'channel',
    stream: 'recordings-{workspaceId}',
    about: 'Recordings that calls play to customers.',
    events: recordingEvents,
  },
  {
    area: 'console',
    stream: 'consoleSession-{sessionId}',
    about: 'A console link and its session, with hashes of the secrets.',
    events: consoleSessionEvents,
  },
  {
    area: 'console',
    stream: 'consoleReads-{sessionId}',
    about: 'Data that an auditor read in the console.',
    events: consoleReadEvents,
  },
  {
    area: 'delivery',
    stream: 'delivery-{workspaceId}',
    about: 'Delivery settings of a store.',
    events: deliveryEvents,
  },
  { area: 'files', stream: 'file-{fileId}', about: 'A file of a store.', events: fileEvents },
  {
    area: 'files',
    stream: 'storage-{workspaceId}',
    about: 'Stored bytes of a store, and the objects that use them.',
    events: storageEvents,
  },
  {
    area: 'numberLists',
    stream: 'numberList-{listId}',
    about: 'A list of customer numbers.',
    events: numberListEvents,
  },
  { area: 'orders', stream: 'order-{orderId}', about: 'One order.', events: orderEvents },
  {
    area: 'orders',
    stream: 'orderNumbers-{workspaceId}',
    about: "Numbers of a store's orders, from 1, without duplicates.",
    events: orderNumberEvents,
  },
  { area: 'partners', stream: 'partner-{partnerId}', about: 'A partner and its keys.', events: partnerEvents },
  { area: 'partners', stream: 'partnerSlug-{slug}', about: 'Owner of a partner slug.', events: partnerSlugEvents },
  {
    area: 'partners',
    stream: 'partnerStore-{partnerId}.{hash}',
    about: "Mapping of a partner's reference to a store.",
    events: partnerStoreEvents,
  },
  { area: 'partners', stream: 'plan-{key}', about: 'A plan.', events: planEvents },
  {
    area: 'payments',
    stream: 'payments-{workspaceId}',
    about: 'Payment settings of a store.',
    events: paymentSettingsEvents,
  },
  {
    area: 'payments',
    stream: 'paymentPrompts-{workspaceId}',
    about: 'Payment prompts to phones, which are limited, and confirmed numbers.',
    events: paymentPromptEvents,
  },
  {
    area: 'privacy',
    stream: 'person-{personId}',
    about: 'Erasures of customers, without their identity.',
    events: personEvents,
  },
  {
    area: 'privacy',
    stream: 'dataExports-{workspaceId}',
    about: 'Exports of personal data of a store.',
    events: dataExportEvents,
  },
  {
    area: 'privacy',
    stream: 'retention-{workspaceId}',
    about: 'Retention rule of a store. `retention-default` is the rule of all other stores.',
    events: retentionEvents,
  },
  {
    area: 'promotions',
    stream: 'promotion-{promotionId}',
    about: 'A promotion and its uses.',
    events: promotionEvents,
  },
  {
    area: 'stores',
    stream: 'store-{workspaceId}',
    about: 'A store, its keys and channel number.',
    events: storeEvents,
  },
  {
    area: 'stores',
    stream: 'names-{workspaceId}.{promotion, numberList or template}',
    about: 'Unique names in a store, and their holders, which count towards the limits.',
    events: nameEvents,
  },
  {
    area: 'stores',
    stream: 'channelNumber-{phoneNumberId}',
    about: 'Owner of a channel number.',
    events: channelNumberEvents,
  },
  { area: 'templates', stream: 'template-{templateId}', about: 'A message template.', events: templateEvents },
  {
    area: 'templates',
    stream: 'templateSync-{workspaceId}',
    about: "A store's comparisons with the provider.",
    events: templateSyncEvents,
  },
  {
    area: 'webhooks',
    stream: 'webhookEndpoint-{endpointId}',
    about: 'A webhook endpoint.',
    events: webhookEndpointEvents,
  },
  {
    area: 'webhooks',
    stream: 'webhookPlaces-{ownerId}',
    about: "Count of an owner's endpoints.",
    events: webhookPlacesEvents,
  },
  {
    area: 'engine',
    stream: 'projection-{name}',
    about: 'Events that a projection skips.',
    events: projectionSkipEvents,
  },
  {
    area: 'engine',
    stream: 'processor-{name}',
    about: 'Events that a processor skips.',
    events: processorSkipEvents,
  },
  {
    area: 'engine',
    stream: 'work-log',
    about: 'Decisions of the operator about the backlog of the processors.',
    events: settlementEvents,
  },
];

/** Every event by its stored type. */
export const storedEvents: EventDefinitions = Object.assign({}, ...eventStreams.map(({ events }) => events));

/** Evolved events, for the engine. */
export const evolvedEvents: EvolvedEvents = evolvedOf(storedEvents);

/** The same for people who look for events: areas with their categories, and what causes each event. */
export const consoleAreas = [...new Set(eventStreams.map(({ area }) => area))].sort().map((area) => {
  const streams = eventStreams.filter((one) => one.area === area);
  return {
    area,
    categories: streams.map(({ stream }) => stream.split('-', 1)[0]!),
    types: streams.flatMap(({ events }) => Object.entries(events).map(([type, { causedBy }]) => ({ type, causedBy }))),
  };
});
