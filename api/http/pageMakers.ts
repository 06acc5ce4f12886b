/**
 * Renders pages of lists in other threads. Access, limits and waiting stay with the thread that has the connection;
 * queries, text, bytes and ETag move.
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
  /**
   * Renders a page; undefined if no thread is free. Never rejects: for a page that was not rendered, the caller repeats
   * the work and reports the error.
   */
  make(task: PageTask): Promise<PageMaking> | undefined;
}
