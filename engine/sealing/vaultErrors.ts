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
      `The vault lacks the key of ${person}, who was not erased${event === undefined ? '' : `; it is needed for the event ${placeText(event)}`}. ` +
        'The vault is missing, or older than the log. Restore the vault that belongs to this log. ' +
        "If there is none, run 'suuq admin lost-keys list' to list the events, and 'suuq admin lost-keys erase' to mark them as erased.",
    );
  }
}
