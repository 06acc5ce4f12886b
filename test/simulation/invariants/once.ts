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
 * If it was killed during that write, the next process may find a task and the tasks that follow from it. It performs
 * the first again, and with it the others.
 */
export const once: Invariant = ({ data, people, mayLoseLeases }: Ended) => {
  if (mayLoseLeases) return [];
  const halfWritten = JSON.stringify([...data.work.unended]);
  const messages = people.messages.sent.filter(({ isConfirmed }) => isConfirmed);
  const webhooks = people.sender.tried.filter(
    ({ taken, isConfirmed, eventId }) => taken && isConfirmed && !halfWritten.includes(eventId),
  );
  return repeats([
    ...messages.map(({ message, by }) => ({ what: `message ${message.messageId}`, by })),
    ...webhooks.map(({ url, eventId, by }) => ({ what: `webhook ${eventId} to ${url}`, by })),
  ]);
};
