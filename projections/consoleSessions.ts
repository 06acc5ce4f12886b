import type { ConsoleSessionEvent, ConsoleTerms } from '../domain/console/consoleEvents.js';
import { defined } from '../domain/defined.js';
import { defineProjection } from '../engine/projections/projection.js';

/** A console session that has not ended; it may have expired. Times in RFC 3339. */
export interface ConsoleSessionDocument extends ConsoleTerms {
  readonly tokenHash: string;
  readonly openedAt: string;
  readonly expiresAt: string;
  readonly browser?: string;
}

/** One document per open session. Requests find it by their cookie; the console lists them. */
export const consoleSessions = defineProjection<ConsoleSessionDocument, ConsoleSessionEvent>({
  name: 'consoleSessions',
  version: 2,
  categories: ['consoleSession'],
  keys: { expiresAt: 'text' },
  indexes: [{ keys: ['-expiresAt'] }],
  on: {
    ConsoleSessionOpened: (_, { data, meta }) => {
      const { role, workspaceId, memberId, tokenHash, expiresAt, browser } = data;
      return {
        keys: { expiresAt },
        body: { role, tokenHash, openedAt: meta.at, expiresAt, ...defined({ workspaceId, memberId, browser }) },
      };
    },
    ConsoleSessionEnded: () => undefined,
  },
});
