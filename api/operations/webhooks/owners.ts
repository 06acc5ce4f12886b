import type { PartnerAccess, WorkspaceAccess } from '../../../application/access/principal.js';
import type { EndpointOwner } from '../../../domain/webhooks/webhookEvents.js';
import {
  CreatePartnerEndpointInputBody,
  CreateWebhookEndpointInputBody,
  UpdatePartnerEndpointInputBody,
  UpdateWebhookEndpointInputBody,
} from './schemas.js';

/** Owners of endpoints: stores and partners have the same operations, with these differences. */
export interface Owners {
  readonly prefix: '{W}' | '{P}';
  readonly scope: string;
  readonly tag: string;
  /** For summaries. */
  readonly ownerText: string;
  readonly CreateBody: typeof CreateWebhookEndpointInputBody;
  readonly UpdateBody: typeof UpdateWebhookEndpointInputBody;
  /** The operation's id: in the specification, but for additions. */
  id(workspaces: string): string;
  owner(request: { readonly workspace: WorkspaceAccess; readonly partner: PartnerAccess }): EndpointOwner;
}

/** (Specification 2, 'Workspace webhook endpoints'.) */
export const ofWorkspace: Owners = {
  prefix: '{W}',
  scope: 'developers:manage',
  tag: 'Webhooks',
  ownerText: 'the store',
  CreateBody: CreateWebhookEndpointInputBody,
  UpdateBody: UpdateWebhookEndpointInputBody,
  id: (workspaces) => workspaces,
  owner: ({ workspace: { workspaceId } }) => ({ workspaceId }),
};

const PARTNER_IDS: Readonly<Record<string, string>> = {
  listWebhookEndpoints: 'listPartnerWebhookEndpoints',
  createWebhookEndpoint: 'createPartnerWebhookEndpoint',
  getWebhookEndpoint: 'getPartnerWebhookEndpoint',
  updateWebhookEndpoint: 'updatePartnerWebhookEndpoint',
  deleteWebhookEndpoint: 'deletePartnerWebhookEndpoint',
  listWebhookDeliveries: 'listPartnerWebhookDeliveries',
  replayWebhookEndpointEvent: 'replayPartnerWebhookEndpointEvent',
  replayWebhookEndpoint: 'replayPartnerWebhookEndpoint',
  rotateWebhookEndpointSecret: 'rotatePartnerWebhookEndpointSecret',
  sendWebhookTest: 'sendPartnerWebhookTest',
  listWebhookEventTypes: 'listPartnerWebhookEventTypes',
};

/** (Specification 2, 'Partner webhook endpoints'.) */
export const ofPartner: Owners = {
  prefix: '{P}',
  scope: 'partner.webhooks:manage',
  tag: 'Partner webhooks',
  ownerText: "the partner's stores",
  CreateBody: CreatePartnerEndpointInputBody,
  UpdateBody: UpdatePartnerEndpointInputBody,
  id: (workspaces) => PARTNER_IDS[workspaces]!,
  owner: ({ partner: { partnerId } }) => ({ partnerId }),
};
