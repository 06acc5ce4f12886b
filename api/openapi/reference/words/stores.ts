import { EVENT_TYPES } from '../../../../domain/webhooks/eventTypes.js';
import { same, type Words } from './words.js';

const owner = {
  owner: 'Who owns the store.',
  'owner.email': "The owner's address.",
  'owner.name': "The owner's name.",
};
const store = {
  name: 'As customers see it.',
  locale: "Language of the service's automatic messages to customers.",
};
const endpoint = {
  events: 'Event types to receive. Duplicates count once.',
  description: 'Description written by the owner.',
};
const status = '`active` turns a disabled endpoint back on; `disabled` turns it off.';

const eventNames = Object.keys(EVENT_TYPES).map(
  (type) => `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`,
);

export const storesWords: Words = {
  PartnerProfileBody: {
    '': 'A partner: a platform with stores of its own customers.',
    name: 'As it is known.',
    slug: 'Short name for URLs.',
    status: '`suspended`: its keys are refused.',
    'defaultPlan.key': 'Key of the plan.',
    'defaultPlan.name': 'Name of the plan.',
    'features[].key': 'Key of the feature.',
    'features[].enabled': 'True if stores on the plan have the feature.',
  },
  StoreBody: {
    '': 'A store of the partner.',
    ...store,
    ...owner,
    status: '`suspended`: closed; its data is retained.',
    closedAt: 'Set while the partner has closed the store.',
  },
  StoreInputBody: {
    '': 'Input for a new store.',
    ...store,
    ...owner,
    externalRef: "The partner's own id of the store; not `.` or `..`, which clients drop from a path.",
  },
  StoreChangeBody: {
    '': 'Changes to a store.',
    name: 'As customers see it.',
    status: '`suspended` closes the store and keeps its data; `active` reopens one that the partner closed.',
  },
  StoresBody: { '': 'A page of stores.' },
  PartnerMemberBody: {
    '': "A partner's user in one of its stores.",
    status: '`disabled`: no access until a later user token lists the store.',
    teamIds: 'Teams of the store that the user is in.',
  },
  UpdatePartnerMemberInputBody: {
    '': 'Role and teams of a user in a store.',
    role: 'What the user may do in the store.',
  },
  MemberBody: {
    '': 'A person in a store.',
    userId: 'Id of the user, the same in every store.',
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
    color: 'A color of the chart palette.',
    'members[].lead': "Sees the team's reports and can pick up its queued calls.",
    queue: 'How calls to the team are rung.',
    'queue.strategy': '`all`: every member at once; `priority`: one at a time, in their order.',
    'workingHours[].day': 'Day of the week.',
  },
  TeamsBody: { '': 'All teams of a store.' },
  CreateSessionInputBody: {
    '': 'Input for a session.',
    publishableKey: 'A publishable key: pk_… of a store, ppk_… of a partner.',
  },
  SDKSessionBody: {
    '': 'A session of a user. Clients use it instead of a key.',
    sessionId: 'Id of the session, the same through its refreshes.',
    userId: 'The user that signed in.',
    mode: 'Of the keys that made it.',
    workspaceId: "With a store's key: the store.",
    memberId: "With a store's key: the user's member in it.",
    'stores[].memberId': "The user's member in the store.",
    'storesLeftOut[].detail': 'The reason, as a human-readable sentence.',
    appearance: "With a partner's key: how its embedded pages look.",
    'appearance.primaryColor': 'As #RRGGBB.',
    'appearance.font': 'Typeface.',
    'appearance.colorMode': "`auto`: follows the device's setting.",
  },
  WebhookEndpointBody: {
    '': 'A webhook endpoint, with the state of its deliveries.',
    url: 'URL that events are posted to.',
    description: 'Description written by the owner.',
    status: '`disabled`: nothing is posted.',
    disabledAt: 'When it was turned off.',
    disabledReason: '`failing`: every delivery failed for 3 days; `manual`: the owner turned it off.',
    failingSince: 'Deliveries have failed since then without a success.',
    lastSuccessAt: 'When a delivery last succeeded.',
    previousSecretExpiresAt: 'Until then deliveries are also signed with the secret before the rotation.',
  },
  WebhookEndpointsOutputBody: { '': 'All webhook endpoints of their owner.', endpoints: 'Newest first.' },
  ...same(['CreateWebhookEndpointInputBody', 'CreatePartnerEndpointInputBody'], {
    '': 'Input for a new webhook endpoint.',
    ...endpoint,
  }),
  ...same(['UpdateWebhookEndpointInputBody', 'UpdatePartnerEndpointInputBody'], {
    '': 'Changes to a webhook endpoint.',
    ...endpoint,
    status,
  }),
  WebhookSecretOutputBody: { '': 'A webhook endpoint, and its signing secret.' },
  CreateConsoleLinkInputBody: { '': 'Options of a console link.' },
  ConsoleLinkOutputBody: {
    '': 'A link into the console, which opens it once.',
    expiresAt: 'Expiry of the link.',
    sessionExpiresAt: 'Expiry of the session that the link opens.',
  },
  WebhookTestOutputBody: { '': 'The test that was queued.' },
  WebhookReplayInputBody: { '': 'Time range of the events to resend.' },
  WebhookDeliveryBody: {
    '': 'One attempt to deliver an event.',
    eventId: 'Id in the delivered body: receivers count each once.',
    eventType: 'Type of the event.',
    attempt: 'From 1.',
    attemptedAt: 'Creation time.',
    latencyMs: 'Duration of the attempt, in ms.',
    status: 'An answer 2xx within 10 seconds is a success.',
    trigger: 'Why it was sent.',
    responseCode: 'HTTP status of the response; absent if there was none.',
    error: 'Reason of the failure, if the code does not show it.',
    nextRetryAt: 'Absent after a success and after the last attempt.',
  },
  WebhookDeliveriesOutputBody: { '': 'A page of the delivery log.', deliveries: 'Every attempt, latest first.' },
  WebhookEventTypeBody: {
    '': 'A type of event that an endpoint can receive.',
    type: 'As in `events` of an endpoint.',
    description: 'When the event is sent, and what it contains.',
    emitted: 'False while nothing sends it yet; it can be subscribed to.',
  },
  WebhookEventTypesOutputBody: { '': 'All types of events.', eventTypes: 'In the order of the guide.' },
  ...same(eventNames, {
    id: 'The same in every attempt and replay. Process each id once.',
    type: 'Type of the event.',
    createdAt: 'When it happened.',
    workspaceId: 'The store that it happened in.',
    data: 'Objects of the event, in the form in which the API returns them.',
  }),
  ConversationMergedEvent: {
    type: 'Type of the event.',
    createdAt: 'When it happened.',
    workspaceId: 'The store that it happened in.',
    data: 'Objects of the event, in the form in which the API returns them.',
    'data.mergedConversationId': 'The conversation that was closed.',
  },
  WebhookTestEvent: {
    id: 'The same in every attempt and replay. Process each id once.',
    type: 'Type of the event.',
    createdAt: 'Time of the request.',
    workspaceId: "The store of the endpoint; absent for a partner's.",
    data: 'Objects of the event.',
    'data.endpointId': 'The endpoint that is tested.',
  },
  FieldError: { message: 'Human-readable message.' },
  Problem: { errors: 'One for each problem of the request.' },
};
