/** Reservation of a name (names.ts) or a list, so that nobody else takes or deletes it during a change. */
import type { DomainEvent, WithMeta } from './decider.js';

export interface Hold {
  readonly by: string;
  /** Newest attempt of the holder. A release names it, so that a later attempt is never undone. */
  readonly attempt: string;
  /** ms since 1970. */
  readonly since: number;
}

export const holdOf = ({ data, meta }: WithMeta<DomainEvent<string, { by: string; attempt: string }>>): Hold => ({
  by: data.by,
  attempt: data.attempt,
  since: Date.parse(meta.at),
});

/** Refuses a change that was decided on an outdated state. The caller retries it, and never returns this code to a client. */
export const STALE_CHANGE = 'stale_change';
