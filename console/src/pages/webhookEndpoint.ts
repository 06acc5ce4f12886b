/** An endpoint and whose it is, as the pages about it are given them. */
import type { Schemas } from '../api/openapi.js';

export type Endpoint = Schemas['WebhookEndpointBody'];

/** Owner of endpoints: a store, or a partner, whose endpoints receive the events of all its stores. */
export interface Owner {
  /** As the API's paths name it. */
  readonly ids: { readonly workspaceId: string } | { readonly partnerId: string };
  /** Address of the page, below /console. */
  readonly path: string;
  /** Absent: times are in UTC. */
  readonly zone?: string;
}

export interface EndpointProps {
  readonly owner: Owner;
  readonly endpoint: Endpoint;
  /** An auditor only reads. */
  readonly may: boolean;
}
