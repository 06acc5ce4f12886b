/** An endpoint and whose it is, as the pages about it are given them. */
import type { Schemas } from '../api/openapi.js';

export type Endpoint = Schemas['WebhookEndpointBody'];

/** Whose endpoints they are: a store's, or those of a partner, which are told of what happens in all of its stores. */
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
