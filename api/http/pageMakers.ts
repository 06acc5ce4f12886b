/**
 * Pages of lists that other threads make: who asks, what it may, its limits and what it waits for stay with the thread that
 * has the connection; the queries, the text, its bytes and their ETag go elsewhere.
 */
import type { MemberAccess, PartnerAccess, WorkspaceAccess } from '../../application/access/principal.js';
import type { Input } from './input/validation.js';

/** A page to be made, in words that another thread understands. What a plan allows has been looked at. */
export interface PageTask {
  /** The operation's id. */
  readonly operation: string;
  readonly params: Input['params'];
  readonly query: Input['query'];
  readonly workspace: Omit<WorkspaceAccess, 'features'> | undefined;
  readonly partner: Omit<PartnerAccess, 'features'> | undefined;
  readonly member: MemberAccess | undefined;
}

export interface MadePage {
  /** JSON in UTF-8. */
  readonly bytes: Buffer;
  readonly etag: string;
  /** The projections that were read. */
  readonly projections: readonly string[];
}

/** `elsewhere`: its operation looks at more than read models, so that no thread makes it. Undefined: it was refused, or the thread ended. */
export type PageMaking = MadePage | 'elsewhere' | undefined;

export interface PageMakers {
  /** Undefined: none is free. Never rejects: what is not made is for who asked to make, and to say why it cannot be. */
  make(task: PageTask): Promise<PageMaking> | undefined;
}
