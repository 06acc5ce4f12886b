/** What every page is given: who looks, at which stores, and where they can go. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../api/console/contract.js';
import type { IconName } from './ui/icons.js';

export interface Known {
  readonly session: ConsoleSessionBody;
  readonly stores: readonly ConsoleStoreBody[];
}

export interface Destination {
  readonly href: string;
  readonly name: string;
  readonly icon: IconName;
  /** What it is about, as the list of pages is headed. */
  readonly group: 'Store' | 'History' | 'Service';
  readonly is: (path: string) => boolean;
}
