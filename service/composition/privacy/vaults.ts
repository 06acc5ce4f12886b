/** Location of the subject keys, and the ring that opens values sealed under them: for any thread or command that reads the log. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedPeople } from '../../../application/ports/historyIndex.js';
import { memberName, ownerName, userName } from '../../../application/privacy/staffNames.js';
import { customerKey } from '../../../domain/channel/customerKey.js';
import { defined } from '../../../domain/defined.js';
import type { EventDefinitions } from '../../../domain/storedEvents.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../../engine/ports/eventStore.js';
import type { PersonVault, VaultReads } from '../../../engine/ports/personVault.js';
import { copyVault } from '../../../engine/sealing/copyVault.js';
import { type KeyBox, KeyRing } from '../../../engine/sealing/keyRing.js';
import { markedIn, type PersonalEvent, type PersonalEvents, type ValueOwner } from '../../../engine/sealing/leaves.js';
import { type LostPage, lostPage } from '../../../engine/sealing/lostKeys.js';
import { People } from '../../../engine/sealing/people.js';
import { boxesIn } from '../../../engine/sealing/sealedData.js';
import type { Sealing } from '../../../engine/sealing/sealer.js';
import { opening, openingReads, type ReportLost, sealing } from '../../../engine/sealing/sealingStore.js';
import { VaultMissing } from '../../../engine/sealing/vaultErrors.js';
import type { EventReads } from '../../../engine/upcasting.js';
import { findMasterKeys, MasterKeyMissing, type MasterKeys } from '../../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { isEmptyVault, openEmbeddedVault, VAULT } from '../../../infrastructure/sqlite/personVault.js';
import { openDocumentVault, readDocumentVault } from '../../../infrastructure/vault/documentVault.js';
import { isShared, openMongo } from '../../engines/engines.js';
import type { Settings } from '../../settings/settings.js';

/** A file of the data folder, or collections next to the work. Can be sent to another thread. */
export type VaultPlace = { readonly file: string } | { readonly url: string };

/** Location with the master keys for it; may be sent to another thread of this process, and to nobody else. */
export interface VaultAccess {
  readonly place: VaultPlace;
  readonly masterKeys: MasterKeys;
}

/** How long an instance may go on reading somebody whom another one has forgotten, in ms: where many share a vault. */
export const FORGOTTEN_WITHIN_MS = 1_000;

const isHere = (place: VaultPlace): place is { readonly file: string } => 'file' in place;
/** A check of a file costs next to nothing, so each page checks. */
const hearsOf = (place: VaultPlace): number => (isHere(place) ? 0 : FORGOTTEN_WITHIN_MS);

/** It belongs to the log, and lies apart from it. */
export const vaultPlace = (settings: Pick<Settings, 'eventStoreUrl' | 'mongoUrl'>, folder: string): VaultPlace =>
  isShared(settings) ? { url: settings.mongoUrl! } : { file: join(folder, VAULT) };

// What is sealed ---------------------------------------------------------------------------------------------------------

/** Fields of the customer whom an event is about; other phones in it may be somebody else's. */
const NAMING = new Set(['customer', 'to', 'customerPhone', 'key', 'userId']);
/** Categories whose streams are named by a phone or a user id. */
export const KEYED_STREAMS: ReadonlySet<string> = new Set([customerKey.name]);
const NAMED_STREAMS = { conversationId: 'conversation', customer: 'conversation' };

/** A name in the event; undefined if it is already sealed. */
const nameIn = (data: object, field: string): string | undefined => {
  const value = (data as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : undefined;
};

function ownerOf(subject: EventDefinitions[string]['subject']): ValueOwner | undefined {
  if (subject === 'stream' || subject === 'each') return subject;
  if (subject === 'sender') return { field: 'conversationId', erased: true };
  if (subject === 'owner') return ownerName;
  if (typeof subject !== 'object') return undefined;
  if ('conversation' in subject) return { field: subject.conversation };
  if ('member' in subject)
    return (stream, { data }) => {
      const id = nameIn(data, subject.member);
      return id === undefined ? undefined : memberName(stream, id);
    };
  return (_, { data, meta: { actor } }) => {
    const id = subject.by === undefined || actor.type === subject.by ? nameIn(data, subject.user) : undefined;
    return id === undefined ? undefined : userName(id);
  };
}

/** True if it is about customers, and not about people who work for a store. */
export const isOfCustomer = ({ owner }: Pick<PersonalEvent, 'owner'>): boolean => typeof owner !== 'function';

/** Events with sealed values: all values that their schemas mark as personal data of a customer, or of somebody who works for a store. */
function personalEvents(events: EventDefinitions): PersonalEvents {
  const found = new Map<string, PersonalEvent>();
  for (const [type, { data, subject }] of Object.entries(events)) {
    const [owner, marked] = [ownerOf(subject), markedIn(data)];
    if (owner !== undefined && marked !== undefined) found.set(type, { owner, marked });
  }
  return found;
}

/** For the one who writes the log. `place`: of the vault; others forget too where it is no file. */
export function sealingOf(vault: PersonVault, box: KeyBox, place: VaultPlace, events: EventDefinitions): Sealing {
  const ring = new KeyRing(vault, box, { hears: isHere(place) ? 'told' : FORGOTTEN_WITHIN_MS });
  const people = new People(vault, box, ring);
  ring.onForgotten(() => people.forget());
  return {
    ring,
    people,
    events: personalEvents(events),
    naming: NAMING,
    streamsNamedBy: NAMED_STREAMS,
    keyedCategories: KEYED_STREAMS,
  };
}

/** Sealed where that is in force; what is sealed already is opened in any case. */
export const sealingAs = ({ seal }: Pick<Settings, 'seal'>, store: EventStore, parts: Sealing): EventStore =>
  seal ? sealing(store, parts) : opening(store, parts);

/** How customers are found in the index of the history. */
export const indexedPeople = ({ people }: Pick<Sealing, 'people'>): IndexedPeople => ({
  everyone: (store, value) => people.everyone(store, value),
  secret: () => people.secretFor('history'),
});

/** Number of newest events to check: enough to distinguish a sealed log from an older one. */
const LOOK = 1_000;

/** Throws VaultMissing where a log has sealed events and its vault's file is not there, or empty; FileDamaged. */
export async function requireVault(log: Pick<EventReads, 'head' | 'readAll'>, place: VaultPlace): Promise<void> {
  if (!isHere(place)) return;
  const isThere = existsSync(place.file);
  if (isThere && !isEmptyVault(place.file)) return;
  const { events } = await log.readAll(Math.max(BEFORE_ALL, (await log.head()) - LOOK), { limit: LOOK });
  if (events.some(({ data }) => boxesIn(data) !== undefined))
    throw new VaultMissing(
      `${place.file} is ${isThere ? 'empty' : 'missing'}, but the log holds customers who are sealed under keys in it. Restore it from your backup.`,
    );
}

/** Carries a vault over to where another log's is, if that is elsewhere: a log that is moved takes its people along. */
export async function carryVault(folder: string, to: VaultPlace, work: DocumentStore): Promise<void> {
  if (!isHere(to)) await takePeopleAlong(join(folder, VAULT), () => openDocumentVault(work));
}

/** Copies a vault's file, if there is one, into another vault. */
export async function takePeopleAlong(file: string, to: () => Promise<PersonVault>): Promise<void> {
  if (!existsSync(file)) return;
  const from = openEmbeddedVault(file, { readonly: true });
  try {
    await copyVault(from, await to(), new Date().toISOString());
  } finally {
    await from.close();
  }
}

/** For writing. `work`: of the shared engines. */
export const openVault = (place: VaultPlace, work: DocumentStore): Promise<PersonVault> =>
  isHere(place) ? Promise.resolve(openEmbeddedVault(place.file)) : openDocumentVault(work);

// Reading ----------------------------------------------------------------------------------------------------------------

export interface OpenedRing {
  readonly ring: KeyRing;
  close(): Promise<void>;
}

const NOBODY: VaultReads = {
  keys: async () => new Map(),
  forgotten: async () => new Set(),
  forgottenAfter: async (through) => ({ persons: [], through }),
  close: async () => {},
};

async function readVault(place: VaultPlace): Promise<{ vault: VaultReads; close(): Promise<void> }> {
  if (isHere(place)) {
    // An older log, or one whose vault is lost: the ring reports missing keys.
    const vault = existsSync(place.file) ? openEmbeddedVault(place.file, { readonly: true }) : NOBODY;
    return { vault, close: () => vault.close() };
  }
  const store = await openMongo(place.url, 'work');
  return { vault: readDocumentVault(store), close: () => store.close() };
}

const boxOf = (keys: MasterKeys | undefined): KeyBox => {
  if (keys !== undefined) return createSecretBox(...keys);
  const refuse = (): never => {
    throw new MasterKeyMissing(
      'The log has sealed personal data, but the master key that decrypts its keys is missing. Put master.key into the data folder, or set SUUQ_MASTER_KEY.',
    );
  };
  return { seal: refuse, open: refuse };
};

/** As a command on its own has it: without master keys, what is sealed is refused where it is met. */
export type ReadAccess = Partial<VaultAccess> & Pick<VaultAccess, 'place'>;

/** A ring for reading concurrently with a writer. Rejects with StoreUnavailable. */
export async function openRing({ place, masterKeys }: ReadAccess): Promise<OpenedRing> {
  const { vault, close } = await readVault(place);
  return { ring: new KeyRing(vault, boxOf(masterKeys), { hears: hearsOf(place) }), close };
}

/** A log that is opened where it is read, and what it cannot open. */
export interface OpenedLog extends EventReads {
  /** The events of one page whose keys are missing. */
  lost(after: Position, options?: { readonly limit?: number }): Promise<LostPage>;
}

/**
 * A log that opens what is sealed in it, with the vault at a place. `report`: of events whose keys are missing, which are then read as
 * erased. Rejects with StoreUnavailable, or what the vault's file is broken by; the log is closed then.
 */
export async function openedWith(log: EventReads, access: ReadAccess, report?: ReportLost): Promise<OpenedLog> {
  const { ring, close } = await openRing(access).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  return {
    ...openingReads(log, ring, report),
    lost: (after, options) => lostPage(log, ring, after, options),
    async close() {
      try {
        await log.close();
      } finally {
        await close();
      }
    },
  };
}

/** The same; the log as it is where no vault is named. */
export const openedBy = async (log: EventReads, access: ReadAccess | undefined): Promise<EventReads> =>
  access === undefined ? log : openedWith(log, access);

/** Read access of a single command. `masterKeys`: the setting; otherwise those in the folder, if any. */
export const accessOf = (
  settings: Pick<Settings, 'eventStoreUrl' | 'mongoUrl' | 'masterKeys'>,
  folder: string,
): ReadAccess => ({
  place: vaultPlace(settings, folder),
  ...defined({ masterKeys: findMasterKeys(folder, settings.masterKeys) }),
});
