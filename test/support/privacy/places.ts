/**
 * Places other than the log and the read models that store personal data. docs/concepts/privacy.md lists them, and a
 * test checks the list against a customer's story.
 */
import type { PersonalKind } from '../../../domain/personalFields.js';

export interface Place {
  /**
   * Collection of `work.db` (on MongoDB, of the work database), with `*` at its end for any suffix; or a file or folder
   * of the data folder.
   */
  readonly name: string;
  readonly isFile?: true;
  readonly what: string;
  /** `all`: every kind that the log contains. */
  readonly kinds: readonly PersonalKind[] | 'all';
  readonly retention: string;
}

export const places: readonly Place[] = [
  {
    name: 'events.db',
    isFile: true,
    what: 'the log itself, or EventStoreDB; personal data of customers and of those who work for stores is sealed in it, except names of streams',
    kinds: ['derivedId'],
    retention: 'for ever: an event is never changed',
  },
  {
    name: 'vault.db',
    isFile: true,
    what: 'subject keys, sealed under the master key, and keyed hashes by which they are found',
    kinds: [],
    retention: 'until the person is erased',
  },
  {
    name: 'snapshots',
    isFile: true,
    what: 'states of long streams',
    kinds: 'all',
    retention: 'until a newer one of the stream; a cache, which may be removed while the service is stopped',
  },
  {
    name: 'files',
    isFile: true,
    what: 'the bytes of files, under random names (or in the bucket of `SUUQ_FILES`); their content is not inspected',
    kinds: ['file'],
    retention: 'until the store deletes the file; unused ones, a day',
  },
  {
    name: 'tasks_*',
    what: 'pending tasks of a processor: ids, times and counts, and the place of the event with a customer’s message or order; a webhook with its whole body, sealed under its customer’s key',
    kinds: 'all',
    retention: 'until it is done or given up, or the customer is erased: a webhook 3 days, the copy of a file 7 days',
  },
  {
    name: 'forgettings',
    what: 'people who are being erased, sealed under the master key',
    kinds: [],
    retention: 'their names until their keys are gone; the rest until the read models are rebuilt',
  },
  {
    name: 'retentionWalks',
    what: 'progress of the retention walk: a store’s last visited conversation or order',
    kinds: ['derivedId'],
    retention: 'until the next walk; restarted every 30 days',
  },
  {
    name: 'idempotencyKeys',
    what: 'the first response to a request with an `Idempotency-Key`',
    kinds: 'all',
    retention: '24 hours',
  },
  {
    name: 'webhookDeliveries',
    what: "each attempt to deliver, with ids, status and the kind of failure; never the event's data or the endpoint's response",
    kinds: [],
    retention: '30 days',
  },
  {
    name: 'webhookSources',
    what: 'stream and revision of each event that was sent, for replays; its data is read from the log then',
    kinds: ['derivedId'],
    retention: '30 days',
  },
  {
    name: 'proofs.db',
    isFile: true,
    what: 'the tree over the log: hashes of events, and the stream of the last event',
    kinds: ['derivedId'],
    retention: 'as long as the log; it is rebuilt from it',
  },
  {
    name: 'history.db',
    isFile: true,
    what: "positions of a store's events by type, actor and request, under hashes of ids of stores, members, keys and requests, and of the random ids of people. For a customer whose id is in the log in clear, it is a hash with a secret of the vault",
    kinds: [],
    retention: 'as long as the log; it is rebuilt from it',
  },
  {
    name: 'sandbox.jsonl',
    isFile: true,
    what: 'only with the sandbox: the chats of invented customers',
    kinds: 'all',
    retention: 'until it is removed; never on in production',
  },
  {
    name: 'sandbox-media',
    isFile: true,
    what: 'only with the sandbox: the files of these chats',
    kinds: ['file'],
    retention: 'as the channel does: 7 days, at most 2,000 files',
  },
];

/** Returns the place with that name; undefined if none is declared. */
export const placeOf = (name: string): Place | undefined =>
  places.find(({ name: known }) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name));
