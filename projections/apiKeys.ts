import type { Key, KeyEvent, Mode } from '../domain/access/keyEvents.js';
import { defined } from '../domain/defined.js';
import { defineProjection } from '../engine/projections/projection.js';

/** An API key without its secret. */
export interface ApiKeyBody {
  readonly keyId: string;
  readonly kind: Key['kind'];
  readonly mode: Mode;
  readonly scopes: readonly string[];
  /** The key's last four characters. */
  readonly last4: string;
  /** Pages that may frame the embed page. Publishable keys only. */
  readonly origins?: readonly string[];
  /** Exactly one of the two: whose key it is. */
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

const isPartners = (stream: string): boolean => stream.startsWith('partner-');

/** One document per key of a store or a partner. The id is the hash of the key, by which requests look it up. */
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
