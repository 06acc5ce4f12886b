/** Conversations of which it is remembered when their first message is due. */
const MOST = 10_000;
const FIRST_WAIT_MS = 250;
const MOST_WAIT_MS = 30_000;

export interface SendingQueues {
  /** The conversation's first message is tried again at `at`. */
  firstAt(conversationId: string, at: number, now: number): void;
  /** The first message is gone. */
  moved(conversationId: string): void;
  /**
   * When a message with `ahead` others before it looks again, ms since 1970. `pace`: not before; `waits`: how often it
   * waited in vain. `known`: it rests on the first one's own time.
   */
  lookAgain(
    conversationId: string,
    turn: { ahead: number; pace: number; waits: number; now: number },
  ): { at: number; known: boolean };
}

/**
 * When messages behind others look whether it is their turn: after the first one's time, each a little after the one before
 * it, so that a long queue costs one look a message and not one a second. In memory and only a hint: where it is missing,
 * as after a start, they look again and again, ever more rarely.
 */
export function createSendingQueues(): SendingQueues {
  const first = new Map<string, { readonly at: number; readonly saidAt: number }>();
  return {
    firstAt(conversationId, at, now) {
      if (first.size >= MOST)
        for (const [id, { at: time }] of first) if (time <= now || first.size >= MOST) first.delete(id);
      first.set(conversationId, { at, saidAt: now });
    },
    moved: (conversationId) => void first.delete(conversationId),
    lookAgain(conversationId, { ahead, pace, waits, now }) {
      const hint = first.get(conversationId);
      // Said later than now, it was said by a clock that has been set back since.
      const due = Math.max(pace, hint !== undefined && hint.saidAt <= now ? hint.at : 0);
      if (due > now) return { at: due + ahead, known: true };
      const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(waits, 10), MOST_WAIT_MS);
      return { at: now + wait + ahead, known: false };
    },
  };
}
