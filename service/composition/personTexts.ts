/** Texts of customers beside the log, under their keys. */
import type { PersonTexts } from '../../application/ports/personTexts.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { boxesIn, opened, sealedBox } from '../../engine/sealing/sealedData.js';
import type { Sealing } from '../../engine/sealing/sealer.js';

interface Parts {
  /** As it is stored. */
  readonly log: Pick<EventStore, 'readStream'>;
  readonly sealing: Pick<Sealing, 'people' | 'ring'>;
  readonly projections: Pick<ProjectionHost, 'status'>;
  /** Whether somebody is just being forgotten. */
  readonly forgetting: () => Promise<boolean>;
}

export function personTexts({ log, sealing: { people, ring }, projections, forgetting }: Parts): PersonTexts {
  /** Whose a stream is, forgotten or not. */
  async function personOf(stream: string): Promise<string | undefined> {
    const known = people.ofStream(stream);
    if (known !== undefined) return known;
    const [first] = await log.readStream(stream, { limit: 1 });
    return first && boxesIn(first.data)?.[0]?.[1];
  }
  const keyOf = async (person: string): Promise<Uint8Array | undefined> =>
    ring.knownKey(person) ?? (await ring.of(new Set([person])))(person);

  return {
    async seal(stream, id, text) {
      const person = await personOf(stream);
      const key = person === undefined ? undefined : await keyOf(person);
      if (key !== undefined) people.noteStream(stream, person!);
      return key && sealedBox(id, person!, key, [{ path: 'text', kind: 'text', value: text }]);
    },
    async open(id, sealed) {
      const key = await keyOf(sealed[1]);
      if (key === undefined) return undefined;
      return (opened({ id, data: { text: null }, meta: {} }, [sealed], () => key).data as { text: string }).text;
    },
    async isForgotten(stream) {
      if (!(await ring.anyForgotten())) return false;
      const person = await personOf(stream);
      return person !== undefined && (await keyOf(person)) === undefined;
    },
    async isShown(names) {
      if (await forgetting()) return false;
      const all = await projections.status();
      return all.every(({ name, state }) => !names.includes(name) || state !== 'rebuilding');
    },
  };
}
