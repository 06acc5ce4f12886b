/** The log as readers see it, opened with the vault's keys only. */
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { KeyRing } from '../../../engine/sealing/keyRing.js';
import { boxesIn } from '../../../engine/sealing/sealedData.js';
import { openedEvents } from '../../../engine/sealing/sealingStore.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { readDocumentVault } from '../../../infrastructure/vault/documentVault.js';
import { documentStore } from '../engines/documentStore.js';
import type { Data } from './engines.js';
import { KEY } from './people.js';
import type { Wire } from './wire.js';

/** Wire without faults and delays. */
const direct: Wire = {
  async call({ run, parts = [] }) {
    for (const part of parts) part();
    return run();
  },
  notify: () => undefined,
};

export interface Opened {
  /** Data with the opened events in its log. */
  readonly data: Data;
  /** Ids of events about forgotten people. */
  readonly erased: ReadonlySet<string>;
  /** Events that no key of the vault opens. */
  readonly lost: readonly string[];
}

export async function openedData(data: Data): Promise<Opened> {
  const vault = readDocumentVault(documentStore(data.vault, direct));
  const ring = new KeyRing(vault, createSecretBox(KEY), { hears: 'told' });
  const lost: string[] = [];
  const persons = (event: RecordedEvent): string[] => (boxesIn(event.data) ?? []).map(([, person]) => person);
  const forgotten = await vault.forgotten([...new Set(data.log.events.flatMap(persons))]);
  const erased = data.log.events.filter((event) => persons(event).some((one) => forgotten.has(one)));
  const events = await openedEvents(data.log.events, ring, (all) => {
    for (const { type, id, stream } of all)
      lost.push(`${type} ${id} of ${stream} is sealed under a key that no vault has`);
  });
  return { data: { ...data, log: { ...data.log, events } }, erased: new Set(erased.map(({ id }) => id)), lost };
}
