/** Where an installation holds something of people beside the log and the read models: docs/concepts/privacy.md shows it, a story proves it. */
import type { PersonalKind } from '../../../domain/personal.js';

export interface Place {
  /** A collection of `work.db` (on MongoDB, of the work), `*` at its end for any rest of the name; or a file or folder of the data folder. */
  readonly name: string;
  readonly isFile?: true;
  readonly what: string;
  /** `all`: whatever the log holds. */
  readonly kinds: readonly PersonalKind[] | 'all';
  readonly kept: string;
}

export const places: readonly Place[] = [
  {
    name: 'events.db',
    isFile: true,
    what: 'the log itself, or EventStoreDB; what tells of customers and of those who work for stores is sealed in it, but for names of streams',
    kinds: ['derivedId'],
    kept: 'for ever: an event is never changed',
  },
  {
    name: 'vault.db',
    isFile: true,
    what: "people's keys, sealed under the master key, and keyed hashes of what they are found by",
    kinds: [],
    kept: 'until the person is forgotten',
  },
  {
    name: 'snapshots',
    isFile: true,
    what: 'states of long streams, so that they need not be read from their beginning',
    kinds: 'all',
    kept: 'until a newer one of the stream; a cache, which may be removed while the service is stopped',
  },
  {
    name: 'files',
    isFile: true,
    what: 'the bytes of files, under random names (or in the bucket of `SUUQ_FILES`): what they show is not looked at',
    kinds: ['file'],
    kept: 'until the store deletes the file; what nobody uses, a day',
  },
  {
    name: 'tasks_*',
    what: 'what a processor still has to do: ids, times and counts, and where the event is that a customer’s message or order is read from again; a webhook with its whole body, sealed under the key of the customer whom it tells of',
    kinds: 'all',
    kept: 'until it is done or given up, or the customer is forgotten: a webhook 3 days, the copy of a file 7 days',
  },
  {
    name: 'forgettings',
    what: 'who is just being forgotten, sealed under the master key',
    kinds: [],
    kept: 'their names until their keys are gone; the rest until the read models have been made anew',
  },
  {
    name: 'retentionWalks',
    what: 'up to which conversation or order of a store it was looked for customers of whom nothing new has happened',
    kinds: ['derivedId'],
    kept: 'until it is looked again; begun anew every 30 days',
  },
  {
    name: 'idempotencyKeys',
    what: 'the first answer to a request with an `Idempotency-Key`',
    kinds: 'all',
    kept: '24 hours',
  },
  {
    name: 'webhookDeliveries',
    what: "each attempt to deliver, with ids, status and the kind of failure; never the event's data, nor what the endpoint answered",
    kinds: [],
    kept: '30 days',
  },
  {
    name: 'webhookSources',
    what: 'which event of the log was sent, by stream and revision, so that it can be sent again; its data are read from the log then',
    kinds: ['derivedId'],
    kept: '30 days',
  },
  {
    name: 'proofs.db',
    isFile: true,
    what: 'the tree over the log: hashes of events, and the stream of the event that it took in last',
    kinds: ['derivedId'],
    kept: 'as long as the log; it is made anew from it',
  },
  {
    name: 'history.db',
    isFile: true,
    what: 'where in the log stand the events of a store, by type, by who did it and by request: positions alone, under hashes of ids of stores, members, keys and requests, and of the random ids that people have in the log. Of a customer whose id stands in the log in clear it is a hash with a secret of the vault',
    kinds: [],
    kept: 'as long as the log; it is made anew from it',
  },
  {
    name: 'sandbox.jsonl',
    isFile: true,
    what: 'with the sandbox alone: the chats of customers who are made up',
    kinds: 'all',
    kept: 'until it is removed; never on in production',
  },
  {
    name: 'sandbox-media',
    isFile: true,
    what: 'with the sandbox alone: the files of these chats',
    kinds: ['file'],
    kept: 'as the channel does: 7 days, at most 2,000 files',
  },
];

/** The place of that name; undefined where none is declared. */
export const placeOf = (name: string): Place | undefined =>
  places.find(({ name: known }) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name));
