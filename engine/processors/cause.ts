import type { EventMeta } from '../../domain/decider.js';

/** Where a task comes from: kept in its payload. */
export interface Cause {
  readonly workspaceId: string;
  readonly partnerId?: string;
  readonly correlationId: string;
}

/** Undefined for an event that belongs to no store. */
export const causeOf = ({ workspaceId, partnerId, correlationId }: Pick<EventMeta, keyof Cause>): Cause | undefined =>
  workspaceId === undefined
    ? undefined
    : { workspaceId, ...(partnerId === undefined ? {} : { partnerId }), correlationId };
