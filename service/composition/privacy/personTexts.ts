/** Texts of customers beside the log, under their keys. */
import type { PersonTexts, SealedText } from '../../../application/ports/personTexts.js';
import { IDLE_MS } from '../../../engine/idle.js';
import { LateCache } from '../../../engine/lateCache.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import type { ProjectionHost } from '../../../engine/projections/runtime.js';
import { boxesIn, opened, sealedBox } from '../../../engine/sealing/sealedData.js';
import type { Sealing } from '../../../engine/sealing/sealer.js';

interface Parts {
  /** As it is stored. */
  readonly log: Pick<EventStore, 'readStream'>;
  readonly sealing: Pick<Sealing, 'people' | 'ring'>;
  readonly projections: Pick<ProjectionHost, 'status'>;
  /** Whether somebody is just being forgotten. */
  readonly forgetting: () => Promise<boolean>;
}

/** Of whom it is remembered whose they are: webhooks tell of several events of one stream. */
const MOST_STREAMS = 20_000;
const NOBODY = '';

export function personTexts({ log, sealing: { people, ring }, projections, forgetting }: Parts): PersonTexts {
  const firsts = new LateCache<string>({ max: MOST_STREAMS, ttl: IDLE_MS, idle: true });
  /** Whom the first event of a stream was sealed for, which stays so; `NOBODY`: it stands in clear, as all do where nothing is sealed. */
  async function firstOf(stream: string): Promise<string> {
    const known = firsts.get(stream);
    if (known !== undefined) return known;
    const [first] = await log.readStream(stream, { limit: 1 });
    const person = (first && boxesIn(first.data)?.[0]?.[1]) ?? NOBODY;
    if (first !== undefined) firsts.set(stream, person);
    return person;
  }
  /** Whose a stream is, forgotten or not. */
  const personOf = async (stream: string): Promise<string | undefined> =>
    people.ofStream(stream) ?? ((await firstOf(stream)) || undefined);
  const keyOf = async (person: string): Promise<Uint8Array | undefined> =>
    ring.knownKey(person) ?? (await ring.of(new Set([person])))(person);

  /** What was sealed or opened a moment ago, as long as its seal is held: one event is told to many endpoints. */
  const texts = new WeakMap<SealedText, string>();

  return {
    async seal(stream, id, text) {
      const person = await personOf(stream);
      const key = person === undefined ? undefined : await keyOf(person);
      if (key !== undefined) people.noteStream(stream, person!);
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
