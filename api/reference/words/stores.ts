import { EVENT_TYPES } from '../../../domain/webhooks/eventTypes.js';
import { same, type Words } from './words.js';

const owner = {
  owner: 'Who owns the store.',
  'owner.email': "The owner's address.",
  'owner.name': "The owner's name.",
};
const store = {
  name: 'As customers see it.',
  locale: 'Language of what the service writes to customers by itself.',
};
const endpoint = {
  events: 'Event types to receive; each once.',
  description: "The owner's own words.",
};
const status = '`active` turns a disabled endpoint back on; `disabled` turns it off.';

const eventNames = Object.keys(EVENT_TYPES).map(
  (type) => `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
);

export const storesWords: Words = {
  PartnerProfileBody: {
    '': 'A partner: a platform with stores of its own customers.',
    name: 'As it is known.',
    slug: 'Its name in addresses.',
    status: '`suspended`: its keys open nothing.',
    'defaultPlan.key': 'Key of the plan.',
    'defaultPlan.name': 'Name of the plan.',
    'features[].key': 'Key of the feature.',
    'features[].enabled': 'Stores of the plan have it.',
  },
  StoreBody: {
    '': 'A store of the partner.',
    ...store,
    ...owner,
    status: '`suspended`: closed, its data kept.',
    closedAt: 'Set while the partner has closed the store.',
  },
  StoreInputBody: { '': 'A store to make.', ...store, ...owner },
  StoreChangeBody: {
    '': 'What of a store to change.',
    name: 'As customers see it.',
    status: '`suspended` closes the store and keeps its data; `active` reopens one that the partner closed.',
  },
  StoresBody: { '': 'A page of stores.' },
  PartnerMemberBody: {
    '': "A partner's user in one of its stores.",
    status: '`disabled`: kept out until a later user token lists the store.',
    teamIds: 'Teams of the store that the user is in.',
  },
  UpdatePartnerMemberInputBody: {
    '': 'Role and teams of a user in a store.',
    role: 'What the user may do in the store.',
  },
  MemberBody: {
    '': 'A person in a store.',
    userId: 'The user behind it, the same in every store.',
    email: 'Address of the user.',
    status: '`invited`: has not signed in yet.',
    teams: 'Teams that the member is in.',
    'teams[].id': 'Id of the team.',
    'teams[].role': "A lead sees the team's reports.",
    joinedAt: 'First sign-in.',
  },
  MembersBody: { '': 'All people of a store.' },
  TeamDetailBody: {
    '': 'A team of a store, with its queue of calls.',
    name: 'As the store knows it.',
    color: 'Of the palette of charts.',
    'members[].lead': "Sees the team's reports and can pick up its queued calls.",
    queue: 'How calls to the team are rung.',
    'queue.strategy': '`all`: every member at once; `priority`: one at a time, in their order.',
    'workingHours[].day': 'Day of the week.',
  },
  TeamsBody: { '': 'All teams of a store.' },
  CreateSessionInputBody: {
    '': 'What a session is made from.',
    publishableKey: 'A publishable key: pk_… of a store, ppk_… of a partner.',
  },
  SDKSessionBody: {
    '': 'A session of a user: what a client holds in place of a key.',
    sessionId: 'Id of the session, the same through its refreshes.',
    userId: 'The user that signed in.',
    mode: 'Of the keys that made it.',
    workspaceId: "With a store's key: the store.",
    memberId: "With a store's key: the user's member in it.",
    'stores[].memberId': "The user's member in the store.",
    'storesLeftOut[].detail': 'Why, for people.',
    appearance: "With a partner's key: how its embedded pages look.",
    'appearance.primaryColor': 'As #RRGGBB.',
    'appearance.font': 'Typeface.',
    'appearance.colorMode': '`auto`: as the device asks for.',
  },
  WebhookEndpointBody: {
    '': 'Where events are posted to, and how that fares.',
    url: 'Where events are posted to.',
    description: "The owner's own words.",
    status: '`disabled`: nothing is posted.',
    disabledAt: 'When it was turned off.',
    disabledReason: '`failing`: every delivery failed for 3 days; `manual`: the owner turned it off.',
    failingSince: 'Deliveries have failed since then without a success.',
    lastSuccessAt: 'When a delivery last succeeded.',
    previousSecretExpiresAt: 'Until then deliveries are also signed with the secret before the rotation.',
  },
  WebhookEndpointsOutputBody: { '': 'All webhook endpoints of their owner.', endpoints: 'Newest first.' },
  ...same(['CreateWebhookEndpointInputBody', 'CreatePartnerEndpointInputBody'], {
    '': 'A webhook endpoint to make.',
    ...endpoint,
  }),
  ...same(['UpdateWebhookEndpointInputBody', 'UpdatePartnerEndpointInputBody'], {
    '': 'What of a webhook endpoint to change.',
    ...endpoint,
    status,
  }),
  WebhookSecretOutputBody: { '': 'A webhook endpoint, and its signing secret.' },
  CreateConsoleLinkInputBody: { '': 'For how long the store’s people are let in.' },
  ConsoleLinkOutputBody: {
    '': 'A link into the console, which opens it once.',
    expiresAt: 'Until then the link works.',
    sessionExpiresAt: 'Until then the session lasts that it opens.',
  },
  WebhookTestOutputBody: { '': 'The test that was queued.' },
  WebhookReplayInputBody: { '': 'From when, and until when, events are sent again.' },
  WebhookDeliveryBody: {
    '': 'One attempt to deliver an event.',
    eventId: 'Id in the delivered body: receivers count each once.',
    eventType: 'Type of the event.',
    attempt: 'From 1.',
    attemptedAt: 'When it was made.',
    latencyMs: 'Until the answer, or until it was given up, in ms.',
    status: 'An answer 2xx within 10 seconds is a success.',
    trigger: 'Why it was sent.',
    responseCode: 'HTTP status of the answer; absent when none came.',
    error: 'Why it failed, when the code does not say.',
    nextRetryAt: 'Absent after a success and after the last attempt.',
  },
  WebhookDeliveriesOutputBody: { '': 'A page of the delivery log.', deliveries: 'Every attempt, latest first.' },
  WebhookEventTypeBody: {
    '': 'A type of event that an endpoint can receive.',
    type: 'As in `events` of an endpoint.',
    description: 'When it is sent, and what it holds.',
    emitted: 'False while nothing sends it yet; it can be subscribed to.',
  },
  WebhookEventTypesOutputBody: { '': 'All types of events.', eventTypes: 'In the order of the guide.' },
  ...same(eventNames, {
    id: 'The same in every attempt and replay: count each once.',
    type: 'Tells events apart.',
    createdAt: 'When it happened.',
    workspaceId: 'The store that it happened in.',
    data: 'What it is about, in the shapes that the API answers.',
  }),
  ConversationMergedEvent: {
    type: 'Tells events apart.',
    createdAt: 'When it happened.',
    workspaceId: 'The store that it happened in.',
    data: 'What it is about, in the shapes that the API answers.',
    'data.mergedConversationId': 'The conversation that was closed.',
  },
  WebhookTestEvent: {
    id: 'The same in every attempt and replay: count each once.',
    type: 'Tells events apart.',
    createdAt: 'When it was asked for.',
    workspaceId: "The store of the endpoint; absent for a partner's.",
    data: 'What it is about.',
    'data.endpointId': 'The endpoint that is tested.',
  },
  FieldError: { message: 'What is wrong, for people.' },
  Problem: { errors: 'One for each thing that is wrong with the request.' },
};
