/** What every page is given: who looks, at which stores, and where they can go. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import type { IconName } from './icons.js';

export interface Known {
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
  /** What it is about, as the list of pages is headed. */
  readonly group: 'Store' | 'History' | 'Service';
  readonly is: (path: string) => boolean;
}
