/** People's keys as the operator's commands use them. */
import { eraseAnswers, idempotencyKeys } from '../../../api/http/idempotency/idempotency.js';
import type { PersonKeys } from '../../../application/ports/personKeys.js';
import type { SealingKeys } from '../../../application/ports/sealingKeys.js';
import { speaksOf } from '../../../application/privacy/traces.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { categoryOf, type EventStore } from '../../../engine/ports/eventStore.js';
import { type NewPerson, type PersonVault, personPages } from '../../../engine/ports/personVault.js';
import type { SnapshotStore } from '../../../engine/ports/snapshots.js';
import { KeyedStreams } from '../../../engine/sealing/keyedStreams.js';
import { type KeyBox, openedKey, sealedKey } from '../../../engine/sealing/keyRing.js';
import { lostPage, personsIn } from '../../../engine/sealing/lostKeys.js';
import { Sealer, type Sealing } from '../../../engine/sealing/sealer.js';
import { streamPages } from '../../../engine/streamPages.js';
import { eventStreams } from '../events.js';
import { isOfCustomer } from './vaults.js';

interface Parts {
  /** As it is stored. */
  readonly log: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly vault: PersonVault;
  readonly box: KeyBox & Pick<SealingKeys, 'isCurrent'>;
  readonly sealing: Sealing;
  readonly work: DocumentStore;
  readonly snapshots: Pick<SnapshotStore, 'clear' | 'clearBefore'>;
  readonly commands: { forget(): void };
  readonly clock: Clock;
  /** How long others may go on reading who was forgotten, in ms: it is waited for. */
  readonly othersWithinMs: number;
}

/** Undefined: none of the master keys opens it. */
function resealedKey(box: KeyBox, { id, key }: NewPerson): NewPerson | undefined {
  try {
    return { id, key: sealedKey(box, id, openedKey(box, id, key)) };
  } catch {
    return undefined;
  }
}

export function personKeys(parts: Parts): PersonKeys {
  const { log, vault, box, sealing, work, snapshots, commands, clock, othersWithinMs } = parts;
  const listeners: (() => void)[] = [];
  let emptied = Promise.resolve();
  // States in memory and snapshots go here too when another instance has forgotten somebody.
  sealing.ring.onForgotten((through) => {
    commands.forget();
    for (const listener of listeners) listener();
    const clear = () => (through === undefined ? snapshots.clear?.() : snapshots.clearBefore?.(through));
    emptied = emptied.then(clear, clear);
    // The erasing command waits for it; the next start removes leftovers of other instances' erasures.
    emptied.catch(() => undefined);
  });
  const sealed = [...sealing.events];
  const ofCustomers = new Set(sealed.filter(([, one]) => isOfCustomer(one)).map(([type]) => type));
  const sealer = new Sealer(log, sealing);
  const streams = new KeyedStreams(log, sealing.people, {
    categories: sealing.keyedCategories ?? new Set(),
    makes: false,
  });
  return {
    categories: eventStreams
      .filter(({ events }) => Object.keys(events).some((type) => ofCustomers.has(type)))
      .map(({ stream }) => categoryOf(stream)),
    ofStaff: sealed.map(([type]) => type).filter((type) => !ofCustomers.has(type)),
    async isUnsealed(stream, chosen) {
      for await (const page of streamPages(log, stream))
        if (page.some((event) => chosen(event) && sealer.isClear(stream, event))) return true;
      return false;
    },
    everyone: (workspaceId, value) => sealing.people.everyone(workspaceId, value),
    async unnamed(names) {
      const found = new Set<string>();
      for (const name of names)
        for await (const page of streamPages(log, await streams.nameOf(name)))
          for (const person of personsIn(page) ?? []) found.add(person);
      for (const { person } of await vault.linksOf([...found])) found.delete(person);
      const forgotten = await vault.forgotten([...found]);
      return [...found].filter((person) => !forgotten.has(person));
    },
    async forget(persons, values) {
      await vault.forget(persons, new Date(clock.now()).toISOString());
      sealing.ring.drop(persons);
      // Instances that still have a key must not rebuild read models.
      if (othersWithinMs > 0)
        await new Promise<void>((done) => clock.steady.at(clock.steady.now() + othersWithinMs, done));
      await emptied;
      await work.open(idempotencyKeys);
      await eraseAnswers(work, speaksOf(values));
    },
    onForgotten: (listener) => void listeners.push(listener),
    hear: () => sealing.ring.hear(),
    lost: (after, options) => lostPage(log, sealing.ring, after, options),
    async reseal() {
      let resealed = 0;
      let unreadable = 0;
      for await (const page of personPages(vault)) {
        const older = page.filter(({ key }) => !box.isCurrent(key));
        const changed = older.map((one) => resealedKey(box, one)).filter((one) => one !== undefined);
        if (changed.length > 0) await vault.reseal(changed);
        resealed += changed.length;
        unreadable += older.length - changed.length;
      }
      return { resealed, unreadable };
    },
  };
}
