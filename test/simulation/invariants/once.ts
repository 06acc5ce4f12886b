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
 * Lists messages that customers got twice in a world whose channel reports each status within seconds. After a takeover
 * the status of a message shows that it was sent.
 */
function resent({ kind, people }: Ended): string[] {
  if (kind !== 'takeovers') return [];
  const times = new Map<string, number>();
  for (const { message } of people.messages.sent) times.set(message.messageId, (times.get(message.messageId) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([id, count]) => `a customer got message ${id} ${count} times`);
}

/**
 * Messages and webhooks are sent once, unless the process ended or may have lost its lease before it stored the result.
 * If it was killed during that write, the next process may find a task and the tasks that follow from it. It performs
 * the first again, and with it the others. Events of erased customers may be stored again, under the same id.
 */
export const once: Invariant = (ended: Ended) => {
  const { data, erased, people, mayLoseLeases } = ended;
  if (mayLoseLeases) return [];
  const halfWritten = JSON.stringify([...data.work.unended]);
  const messages = people.messages.sent.filter(({ isConfirmed }) => isConfirmed);
  const webhooks = people.sender.tried.filter(
    ({ taken, isConfirmed, eventId }) => taken && isConfirmed && !halfWritten.includes(eventId) && !erased.has(eventId),
  );
  const repeated = repeats([
    ...messages.map(({ message, by }) => ({ what: `message ${message.messageId}`, by })),
    ...webhooks.map(({ url, eventId, by }) => ({ what: `webhook ${eventId} to ${url}`, by })),
  ]);
  return [...resent(ended), ...repeated];
};
