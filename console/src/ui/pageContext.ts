/** Data of every page: the session, its stores and the pages it can open. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import type { IconName } from './icons.js';

export interface PageContext {
  readonly session: ConsoleSessionBody;
  /** The newest, the pages that were loaded since, and the one that is open. */
  readonly stores: readonly ConsoleStoreBody[];
  /** Loads the next page of stores; absent where all are here. */
  readonly moreStores?: (() => void) | undefined;
}

export interface Destination {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
  /** Heading of the group in the list of pages. */
  readonly group: 'Store' | 'History' | 'Service';
  readonly is: (path: string) => boolean;
}
