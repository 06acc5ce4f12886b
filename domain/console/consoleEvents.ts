/** Stored for ever: access to the console, and reads by auditors. Secrets are stored as hashes only. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
} from '../storedEvents.js';

/**
 * `operator`: full access. `auditor`: reads everything, and reads are recorded. `store`: one store, as its owner.
 * `member`: one store, as one of its members, with that member's role and teams.
 */
export const ConsoleRole = OneOf('operator', 'auditor', 'store', 'member');
export type ConsoleRole = Stored<typeof ConsoleRole>;

const ConsoleTerms = Shape('ConsoleTerms', {
  role: ConsoleRole,
  workspaceId: Maybe(Id('Of `store` and `member`: the only one that is seen.')),
  memberId: Maybe(Id('Of `member`: whose role and teams apply, and who is the actor of each change.')),
});
/** Access rights of a session. */
export type ConsoleTerms = Stored<typeof ConsoleTerms>;

const ConsoleEndReason = OneOf('signed_out', 'ended_by_operator');
export type ConsoleEndReason = Stored<typeof ConsoleEndReason>;

/** Access to the console, stream `consoleSession-{sessionId}`: a link that works once, and the session that it opens. */
export const consoleSessionEvents = defineEvents({
  ConsoleLinkMade: event('A console link is created.', {
    ...ConsoleTerms.properties,
    linkHash: Code("Hex SHA-256 of the link's secret."),
    linkUntil: Time('Expiry of the link, which works once.'),
    sessionUntil: Time('Expiry of the session.'),
  }),
  ConsoleSessionOpened: event('The link is followed.', {
    ...ConsoleTerms.properties,
    tokenHash: Code("Hex SHA-256 of the session's token."),
    expiresAt: Time(),
    browser: Maybe(Code('Browser user agent, shortened.')),
  }),
  ConsoleSessionEnded: event('The user signs out, or somebody ends the session.', { reason: ConsoleEndReason }),
});
export type ConsoleSessionEvent = EventsOf<typeof consoleSessionEvents>;

/** Reads by an auditor, stream `consoleReads-{sessionId}`. */
export const consoleReadEvents = defineEvents({
  ConsoleRead: event(
    'An auditor reads data in the console.',
    {
      operation: Code('Name of the operation.'),
      path: Personal('text', Text('With its query, without the host.')),
      role: ConsoleRole,
    },
    { subject: 'unknown' },
  ),
});
export type ConsoleReadEvent = EventsOf<typeof consoleReadEvents>;
