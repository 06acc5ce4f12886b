import type { Key, KeyEvent, Mode } from '../domain/access/keyEvents.js';
import { defined } from '../domain/defined.js';
import { defineProjection } from '../engine/projections/projection.js';

/** What is known of a key, without anything it could be made from. */
export interface ApiKeyBody {
  readonly keyId: string;
  readonly kind: Key['kind'];
  readonly mode: Mode;
  readonly scopes: readonly string[];
  /** The key's last four characters. */
  readonly last4: string;
  /** Of a publishable key: pages that may frame the embed page. */
  readonly origins?: readonly string[];
  /** Exactly one of the two: whose key it is. */
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

const isPartners = (stream: string): boolean => stream.startsWith('partner-');

/** One document a key of a store or a partner; the id is the key's hash, as a request is asked by it. */
export const apiKeys = defineProjection<ApiKeyBody, KeyEvent>({
  name: 'apiKeys',
  version: 1,
  perStream: true,
  categories: ['store', 'partner'],
  keys: { keyId: 'text', ownerId: 'text', createdAt: 'text' },
  indexes: [{ keys: ['keyId'] }, { keys: ['ownerId', 'createdAt'] }, { keys: ['createdAt'] }],
  on: {
    KeyCreated: {
      ids: ({ data }) => [data.hash],
      evolve(_, { data: { keyId, kind, mode, scopes, last4, origins }, meta: { at }, stream, streamId }) {
        const owner = isPartners(stream) ? { partnerId: streamId } : { workspaceId: streamId };
        const framed = defined({ origins });
        return {
          keys: { keyId, ownerId: streamId, createdAt: at },
          body: { keyId, kind, mode, scopes, last4, ...framed, ...owner, createdAt: at },
        };
      },
    },
    KeyRevoked: {
      ids: ({ data }) => [data.hash],
      evolve: (view, { meta }) => view && { ...view, body: { ...view.body, revokedAt: meta.at } },
    },
  },
});
