/** A log in a folder whose events are sealed, with its vault in the same folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { PersonVault } from '../../engine/ports/personVault.js';
import { KeyRing } from '../../engine/sealing/keyRing.js';
import { markedIn, type PersonalEvents, type ValueOwner } from '../../engine/sealing/leaves.js';
import { People } from '../../engine/sealing/people.js';
import type { Sealing } from '../../engine/sealing/sealer.js';
import { openingReads, sealing } from '../../engine/sealing/sealingStore.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';

export const MASTER_KEY = Buffer.alloc(32, 7);

export const personal = (
  owner: ValueOwner,
  kinds: Readonly<Record<string, string | object>>,
): PersonalEvents extends ReadonlyMap<string, infer One> ? One : never => {
  const properties = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, typeof kind === 'string' ? { 'x-personal': kind } : kind]),
  );
  return { owner, marked: markedIn({ properties })! };
};

export interface SealedLog {
  readonly store: EventStore;
  /** The events as stored. */
  readonly raw: EventStore;
  readonly vault: PersonVault;
  readonly people: People;
  readonly parts: Sealing;
  readonly box: ReturnType<typeof createSecretBox>;
  readonly folder: string;
  forget(store: string, value: string): Promise<string[]>;
  /** Reads as another thread does. */
  reads(): ReturnType<typeof openingReads>;
  reopen(): Promise<SealedLog>;
  close(): Promise<void>;
}

export async function sealedLog(
  events: PersonalEvents,
  folder = mkdtempSync(join(tmpdir(), 'suuq-sealed-')),
  /** Wraps the vault in a test double. */
  around: (vault: PersonVault) => PersonVault = (vault) => vault,
): Promise<SealedLog> {
  const raw = await openEmbeddedEventStore(folder, { writesHere: true });
  const vault = around(openEmbeddedVault(join(folder, 'vault.db')));
  const box = createSecretBox(MASTER_KEY);
  const ring = new KeyRing(vault, box, { hears: 'told' });
  const people = new People(vault, box, ring);
  ring.onForgotten(() => people.forget());
  const close = async () => {
    await raw.close();
    await vault.close();
  };
  const parts = {
    ring,
    people,
    events,
    naming: new Set(['customer', 'customerPhone']),
    streamsNamedBy: { conversationId: 'conversation' },
  };
  return {
    store: sealing(raw, parts),
    parts,
    box,
    raw,
    vault,
    people,
    folder,
    async forget(store, value) {
      const persons = await people.everyone(store, value);
      await vault.forget(persons, '2025-03-01T10:00:00.000Z');
      ring.drop(persons);
      return persons;
    },
    reads: () => openingReads(raw, new KeyRing(vault, box, { hears: 0 })),
    async reopen() {
      await close();
      return sealedLog(events, folder);
    },
    async close() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}
