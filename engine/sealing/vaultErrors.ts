/** Errors of a vault that does not belong to its log. */
import { messageOf } from '../messageOf.js';

/** The vault is missing. With a new vault, the service could read none of its customers. */
export class VaultMissing extends Error {
  override readonly name = 'VaultMissing';
}

/** The key of a person exists and does not open: it was changed, or sealed under another master key. */
export class KeyUnreadable extends Error {
  override readonly name = 'KeyUnreadable';
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** Place of an event, for error messages. */
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

/** The key of a person who was not forgotten is missing. Their values cannot be read, and must not count as erased. */
export class VaultIncomplete extends Error {
  override readonly name = 'VaultIncomplete';
  /** `event`: first event that needs the missing key, if one was being read. */
  constructor(person: string, event?: EventPlace) {
    super(
      `The vault lacks the key of ${person}, who was not forgotten${event === undefined ? '' : `; it is needed for the event ${placeText(event)}`}. ` +
        'An older vault than the log has been put here, or none: put back the vault that belongs to this log. ' +
        "If there is none, 'suuq admin lost-keys list' names the events, and 'suuq admin lost-keys erase' has them read as erased.",
    );
  }
}
