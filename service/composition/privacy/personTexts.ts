/** Texts of customers outside the log, under their subject keys. */
import type { PersonTexts, SealedText } from '../../../application/ports/personTexts.js';
import { IDLE_MS } from '../../../engine/idle.js';
import { LateCache } from '../../../engine/lateCache.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { ProjectionHost } from '../../../engine/projections/runtime.js';
import { opened, sealedBox } from '../../../engine/sealing/sealedData.js';
import type { Sealing } from '../../../engine/sealing/sealer.js';
import { firstPerson, lastPerson } from '../../../engine/sealing/streamPeople.js';

interface Parts {
  /** As it is stored. */
  readonly log: Pick<EventStore, 'readStream'>;
  readonly sealing: Pick<Sealing, 'people' | 'ring'>;
  readonly projections: Pick<ProjectionHost, 'status'>;
  /** True while an erasure is running. */
  readonly forgetting: () => Promise<boolean>;
}

/** Limit of the cache of streams' subjects: webhooks report several events of one stream. */
const MOST_STREAMS = 20_000;
const NOBODY = '';

export function personTexts({ log, sealing: { people, ring }, projections, forgetting }: Parts): PersonTexts {
  const firsts = new LateCache<string>({ max: MOST_STREAMS, ttl: IDLE_MS, idle: true });
  /**
   * Subject that the first event of a stream was sealed for, which never changes; `NOBODY`: it is in clear text, as all events are without
   * sealing.
   */
  async function firstOf(stream: string): Promise<string> {
    const known = firsts.get(stream);
    if (known !== undefined) return known;
    const first = await firstPerson(log, stream);
    if (first !== undefined) firsts.set(stream, first ?? NOBODY);
    return first ?? NOBODY;
  }
  const keyOf = async (person: string): Promise<Uint8Array | undefined> =>
    ring.knownKey(person) ?? (await ring.of(new Set([person])))(person);
  /** Returns the customer of a stream up to a revision, forgotten or not. */
  async function personOf(stream: string, revision?: number): Promise<string | undefined> {
    // Cached only for streams with a single customer.
    const known = people.ofStream(stream) ?? (await firstOf(stream));
    if (known === NOBODY) return undefined;
    return (await keyOf(known)) === undefined ? ((await lastPerson(log, stream, revision)) ?? known) : known;
  }

  /** Recently sealed or opened texts, as long as their seal is in memory: one event is delivered to many endpoints. */
  const texts = new WeakMap<SealedText, string>();

  return {
    async seal(stream, id, text) {
      const person = await personOf(stream);
      const key = person === undefined ? undefined : await keyOf(person);
      const sealed = key && sealedBox(id, person!, key, [{ path: 'text', kind: 'text', value: text }]);
      if (sealed !== undefined) texts.set(sealed, text);
      return sealed;
    },
    async open(id, sealed) {
      const key = await keyOf(sealed[1]);
      if (key === undefined) return undefined;
      const before = texts.get(sealed);
      if (before !== undefined) return before;
      const { text } = opened({ id, data: { text: null }, meta: {} }, [sealed], () => key).data as { text: string };
      texts.set(sealed, text);
      return text;
    },
    async isForgotten(stream, revision) {
      if (!(await ring.anyForgotten())) return false;
      const person = await personOf(stream, revision);
      return person !== undefined && (await keyOf(person)) === undefined;
    },
    async isShown(names) {
      if (await forgetting()) return false;
      const all = await projections.status();
      return all.every(({ name, state }) => !names.includes(name) || state !== 'rebuilding');
    },
  };
}
