import { at, CURSOR, IDS } from './ids.js';

const storeInput = {
  externalRef: 'shop-7',
  name: 'Hodan Textiles',
  owner: { email: 'asha@example.com', name: 'Asha Warsame' },
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'so',
};
const store = { workspaceId: IDS.workspace, ...storeInput, status: 'active', createdAt: '2026-11-01T09:00:00.000Z' };

const member = {
  id: IDS.member,
  userId: IDS.user,
  email: storeInput.owner.email,
  name: storeInput.owner.name,
  role: 'owner',
  status: 'active',
  createdAt: '2026-11-01T09:00:00.000Z',
  teams: [{ id: IDS.team, role: 'lead' }],
  joinedAt: '2026-11-01T09:12:00.000Z',
  lastActiveAt: at('00:00:00.000'),
};
const team = {
  id: IDS.team,
  name: 'Sales',
  color: 'chart-2',
  isDefault: true,
  members: [{ memberId: IDS.member, lead: true }],
  queue: {
    strategy: 'all',
    ringTimeoutSeconds: 30,
    maxWaitSeconds: 300,
    secondsPerPerson: 20,
    holdRecordingId: IDS.recording,
  },
  workingHours: [
    { day: 'sat', opens: '08:00', closes: '18:00' },
    { day: 'sun', opens: '08:00', closes: '18:00' },
  ],
  createdAt: '2026-11-01T09:30:00.000Z',
  updatedAt: '2026-11-04T07:00:00.000Z',
};

const endpointInput = {
  url: 'https://shop.example.com/hooks/suuq',
  events: ['order.created', 'order.paid', 'message.received'],
  description: 'The shop',
};
const endpoint = {
  id: IDS.endpoint,
  ...endpointInput,
  status: 'active',
  secretMasked: 'whsec_…Qm7w',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
  createdBy: IDS.key,
  lastSuccessAt: at('08:30:03.100'),
};
const delivery = {
  id: IDS.delivery,
  eventId: IDS.event,
  eventType: 'order.created',
  attempt: 1,
  attemptedAt: at('08:30:02.980'),
  latencyMs: 120,
  status: 'succeeded',
  trigger: 'event',
  responseCode: 204,
};

/** Samples by the name of the schema. */
export const storesSamples: Readonly<Record<string, unknown>> = {
  PartnerProfileBody: {
    id: IDS.partner,
    name: 'Acme Shops',
    slug: 'acme',
    status: 'active',
    defaultPlan: { key: 'growth', name: 'Growth' },
    features: [
      { key: 'commerce.catalog', enabled: true },
      { key: 'commerce.products.max', enabled: true, limit: 1000 },
    ],
  },
  StoreInputBody: storeInput,
  StoreBody: store,
  StoreChangeBody: { name: 'Hodan Textiles & Sons' },
  StoresBody: { stores: [store], next: CURSOR },
  UpdatePartnerMemberInputBody: { role: 'supervisor', teams: [IDS.team] },
  PartnerMemberBody: {
    partnerUserId: 'user-17',
    workspaceId: IDS.workspace,
    externalRef: storeInput.externalRef,
    memberId: IDS.member,
    role: 'supervisor',
    status: 'active',
    teamIds: [IDS.team],
  },
  MembersBody: { members: [member] },
  TeamDetailBody: team,
  TeamsBody: { teams: [team] },
  CreateSessionInputBody: {
    publishableKey: 'ppk_test_a-publishable-key',
    userToken: 'header.claims.signature',
  },
  SDKSessionBody: {
    token: 'sdk_shown-once',
    sessionId: IDS.session,
    userId: IDS.user,
    mode: 'test',
    expiresAt: at('08:45:00.000'),
    refreshUntil: '2026-12-21T08:30:00.000Z',
    name: member.name,
    stores: [
      {
        externalRef: storeInput.externalRef,
        memberId: IDS.member,
        name: storeInput.name,
        role: 'owner',
        workspaceId: IDS.workspace,
      },
    ],
    appearance: { primaryColor: '#1F4E79', radius: 8, font: 'inter', colorMode: 'auto' },
  },
  CreateWebhookEndpointInputBody: endpointInput,
  CreatePartnerEndpointInputBody: endpointInput,
  UpdateWebhookEndpointInputBody: { events: ['order.created', 'order.refunded'], status: 'active' },
  UpdatePartnerEndpointInputBody: { events: ['order.created', 'order.refunded'], status: 'active' },
  WebhookEndpointBody: endpoint,
  WebhookEndpointsOutputBody: { endpoints: [endpoint] },
  WebhookSecretOutputBody: { endpoint, secret: 'whsec_shown-once' },
  CreateConsoleLinkInputBody: { minutes: 480 },
  ConsoleLinkOutputBody: {
    url: 'https://api.example.com/console/enter#shown-once',
    expiresAt: at('08:39:11.000'),
    sessionExpiresAt: at('16:29:11.000'),
  },
  WebhookTestOutputBody: { eventId: IDS.test },
  WebhookReplayInputBody: { since: at('06:00:00'), until: at('08:00:00') },
  WebhookDeliveriesOutputBody: { deliveries: [delivery], next: CURSOR },
  WebhookEventTypesOutputBody: {
    eventTypes: [
      {
        type: 'order.created',
        description: 'A cart became an order with prices. `data`: order, as it was then.',
        emitted: true,
      },
    ],
  },
};
