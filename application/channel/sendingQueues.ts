/** Maximum conversations whose first due time is retained. */
const MOST = 10_000;
const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 30_000;

export interface SendingQueues {
  /** Records that the conversation's first message is retried at `at`. */
  firstAt(conversationId: string, at: number, now: number): void;
  /** Records that the first message was sent. */
  moved(conversationId: string): void;
  /**
   * Returns when a message with `ahead` others before it polls again, in ms since 1970. `pace`: earliest time. `waits`: number of polls so
   * far. `known`: true if the result is based on the first message's time.
   */
  pollAt(
    conversationId: string,
    turn: { ahead: number; pace: number; waits: number; now: number },
  ): { at: number; known: boolean };
}

/**
 * Schedules when messages behind others poll for their turn: after the first one's time, each slightly after the one before it, so that a
 * long queue costs one poll per message and not one per second. It is an in-memory hint. Without it, such as after a start, messages poll
 * at increasing intervals.
 */
export function createSendingQueues(): SendingQueues {
  const first = new Map<string, { readonly at: number; readonly reportedAt: number }>();
  return {
    firstAt(conversationId, at, now) {
      if (first.size >= MOST)
        for (const [id, { at: time }] of first) if (time <= now || first.size >= MOST) first.delete(id);
      first.set(conversationId, { at, reportedAt: now });
    },
    moved: (conversationId) => void first.delete(conversationId),
    pollAt(conversationId, { ahead, pace, waits, now }) {
      const hint = first.get(conversationId);
      // A later time than now was recorded by a clock that has been set back since.
      const due = Math.max(pace, hint !== undefined && hint.reportedAt <= now ? hint.at : 0);
      if (due > now) return { at: due + ahead, known: true };
      const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(waits, 10), MOST_WAIT_MS);
      return { at: now + wait + ahead, known: false };
    },
  };
}
