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

/** The key of somebody is missing who was not forgotten: what is sealed under it cannot be read, and may not be taken for erased. */
export class VaultIncomplete extends Error {
  override readonly name = 'VaultIncomplete';
  constructor(person: string) {
    super(
      `The vault lacks the key of ${person}, who was not forgotten: an older vault than the log has been put here, or none. ` +
        'Put back the vault that belongs to this log.',
    );
  }
}
