import type { Ended, Invariant } from './invariant.js';

/** Lists effects that a process repeated after it got the confirmation of the first. */
function repeats(done: readonly { readonly what: string; readonly by: string }[]): string[] {
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { what, by } of done) {
    const key = `${what} ${by}`;
    if (seen.has(key)) wrong.push(`${what} was done again by ${by}`);
    seen.add(key);
  }
  return wrong;
}

/**
 * Messages and webhooks are sent once, unless the process ended or may have lost its lease before it stored the result.
 */
export const once: Invariant = ({ people, mayLoseLeases }: Ended) => {
  if (mayLoseLeases) return [];
  const messages = people.messages.sent.filter(({ isConfirmed }) => isConfirmed);
  const webhooks = people.sender.tried.filter(({ taken, isConfirmed }) => taken && isConfirmed);
  return repeats([
    ...messages.map(({ message, by }) => ({ what: `message ${message.messageId}`, by })),
    ...webhooks.map(({ url, eventId, by }) => ({ what: `webhook ${eventId} to ${url}`, by })),
  ]);
};
