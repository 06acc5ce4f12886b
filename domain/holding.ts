/** Holding something that another must not have, or end, meanwhile: a name (names.ts), or the use of a list. */
import type { DomainEvent, WithMeta } from './decider.js';

export interface Hold {
  readonly by: string;
  /** The newest try of the holder: what is freed names it, so that a later try is never undone. */
  readonly attempt: string;
  /** ms since 1970. */
  readonly since: number;
}

export const holdOf = ({ data, meta }: WithMeta<DomainEvent<string, { by: string; attempt: string }>>): Hold => ({
  by: data.by,
  attempt: data.attempt,
  since: Date.parse(meta.at),
});

/** Refuses a change of a holder that was made for a state which is no more. It is made again, and answered to nobody. */
export const STALE_CHANGE = 'stale_change';
