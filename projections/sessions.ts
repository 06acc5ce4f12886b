import { type KnownToken, refreshedTokens } from '../domain/access/session.js';
import type { SessionEvent, SessionTerms } from '../domain/access/sessionEvents.js';
import { defineProjection, type Seen } from '../engine/projections/projection.js';

/** A session that has not ended, with the hashes of its tokens. */
export interface SessionDocument extends Omit<SessionTerms, 'embedOrigin'> {
  readonly tokens: readonly KnownToken[];
}

/** One document per open session. Requests find it by their token. */
export const sessions = defineProjection<SessionDocument, SessionEvent>({
  name: 'sessions',
  version: 1,
  categories: ['session'],
  keys: { partnerId: 'text', publishableKeyId: 'text', signingKeyId: 'text' },
  indexes: [{ keys: ['partnerId'] }, { keys: ['publishableKeyId'] }, { keys: ['signingKeyId'] }],
  on: {
    SessionOpened(_, { data }) {
      const { tokenHash, expiresAt, embedOrigin: __, ...terms } = data;
      return {
        keys: {
          partnerId: data.partnerId ?? null,
          publishableKeyId: data.publishableKey.keyId,
          signingKeyId: data.signingKey.keyId,
        },
        body: { ...terms, tokens: [{ tokenHash, expiresAt }] },
      };
    },
    SessionRefreshed: (view, { data }) =>
      view && { ...view, body: { ...view.body, tokens: refreshedTokens(view.body.tokens, data) } },
    SessionLeftStore: (view, { data }) =>
      view && {
        ...view,
        body: { ...view.body, stores: view.body.stores.filter(({ workspaceId }) => workspaceId !== data.workspaceId) },
      },
    SessionEnded: () => undefined,
  },
});

const placeOf = ({ streamId }: Seen<SessionEvent>, workspaceId: string): string => `${streamId}/${workspaceId}`;

export interface SessionPlace {
  readonly sessionId: string;
  readonly workspaceId: string;
}

/** One document a session and store, `{sessionId}/{workspaceId}`: who has to leave when a member or a store goes. */
export const sessionStores = defineProjection<SessionPlace, SessionEvent>({
  name: 'sessionStores',
  version: 1,
  perStream: true,
  categories: ['session'],
  keys: { workspaceId: 'text', memberId: 'text' },
  indexes: [{ keys: ['workspaceId'] }, { keys: ['memberId'] }],
  on: {
    SessionOpened: {
      ids: (event) => event.data.stores.map(({ workspaceId }) => placeOf(event, workspaceId)),
      evolve(_, { data, streamId: sessionId }, id) {
        const { workspaceId, memberId } = data.stores.find((store) => id.endsWith(store.workspaceId))!;
        return { keys: { workspaceId, memberId }, body: { sessionId, workspaceId } };
      },
    },
    SessionLeftStore: { ids: (event) => [placeOf(event, event.data.workspaceId)], evolve: () => undefined },
    SessionEnded: {
      ids: (event) => event.data.left.map((workspaceId) => placeOf(event, workspaceId)),
      evolve: () => undefined,
    },
  },
});
