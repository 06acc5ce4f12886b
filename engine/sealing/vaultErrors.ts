/** What is wrong with a vault that does not belong to its log. */
import { messageOf } from '../messageOf.js';

/** A new vault would start a service that can read none of its customers. */
export class VaultMissing extends Error {
  override readonly name = 'VaultMissing';
}

/** The key of somebody is there and does not open: it was changed, or sealed under a master key that is not given. */
export class KeyUnreadable extends Error {
  override readonly name = 'KeyUnreadable';
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** An event's place, for whoever has to find it. */
export interface EventPlace {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
}

/** "OrderPlaced ID (revision 3 of order-…, position 41)". */
export const placeText = ({ id, type, stream, revision, position }: EventPlace): string =>
  `${type} ${id} (revision ${revision} of ${stream}, position ${position})`;

/** The key of somebody is missing who was not forgotten: what is sealed under it cannot be read, and may not be taken for erased. */
export class VaultIncomplete extends Error {
  override readonly name = 'VaultIncomplete';
  /** `event`: the first one that is sealed under the missing key, where one was being read. */
  constructor(person: string, event?: EventPlace) {
    super(
      `The vault lacks the key of ${person}, who was not forgotten${event === undefined ? '' : `; it is needed for the event ${placeText(event)}`}. ` +
        'An older vault than the log has been put here, or none: put back the vault that belongs to this log. ' +
        "If there is none, 'suuq admin lost-keys list' names the events, and 'suuq admin lost-keys erase' has them read as erased.",
    );
  }
}
