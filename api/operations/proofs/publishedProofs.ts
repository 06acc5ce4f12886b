/**
 * Public routes of the signed log: the newest head, earlier heads, keys, consistency proofs, and proofs of a move. They
 * reveal the number of events of all stores together, and nothing about their content.
 */
import { LRUCache } from 'lru-cache';
import type { Proofs } from '../../../application/proofs/proofs.js';
import { Refusal } from '../../contract/problems.js';
import type { RawAnswer, RawRequest, RawRoute } from '../../http/rawRoutes.js';

/** Path of heads and proofs, on the public port. */
export const PLACE = '/.well-known/suuq-log';
/** Cache header of answers that never change. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const SHORTLY = 'public, max-age=10';
const KEPT = 1_000;
/** Mutable answers are read once in this time, in ms. */
const LOOK_MS = 1_000;

/** Caches a result for a while; a failure is not cached. */
function shortly<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: { readonly until: number; readonly made: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (cached !== undefined && now < cached.until) return cached.made;
    const made = make();
    cached = { until: now + LOOK_MS, made };
    made.catch(() => {
      cached = undefined;
    });
    return made;
  };
}

const json = (body: object, cache: string): RawAnswer => ({
  status: 200,
  contentType: 'application/json',
  headers: { 'Cache-Control': cache },
  body: JSON.stringify(body),
});

/** Refuses what is no number of events. */
function sizeIn(query: RawRequest['query'], name: string): number {
  const text = query[name] ?? '';
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('validation_failed', `${name} must be the number of events of a signed head.`, {
    problems: [{ location: `query.${name}`, message: 'must be the number of events of a signed head', value: text }],
  });
}

/** `isPublic`: on the public port too, where there is another. */
export function publishedProofs(
  proofs: Pick<Proofs, 'latest' | 'head' | 'publicKeys' | 'consistency' | 'statements'>,
  isPublic: boolean,
): RawRoute[] {
  const cached = new LRUCache<string, RawAnswer>({ max: KEPT });
  const once = async (key: string, make: () => Promise<object>): Promise<RawAnswer> => {
    const known = cached.get(key);
    if (known !== undefined) return known;
    const made = json(await make(), FOR_EVER);
    cached.set(key, made);
    return made;
  };
  const latestHead = shortly(() => proofs.latest());
  const publicKeys = shortly(() => proofs.publicKeys());
  const statements = shortly(() => proofs.statements());
  const route = (name: string, handle: RawRoute['handle']): RawRoute => ({
    method: 'GET',
    path: `${PLACE}/${name}`,
    bodyLimit: 0,
    ...(isPublic ? {} : { operatorOnly: true as const }),
    handle,
  });
  return [
    route('head', async ({ query }) => {
      if (query.size !== undefined) {
        const size = sizeIn(query, 'size');
        return once(`head ${size}`, () => proofs.head(size));
      }
      const latest = await latestHead();
      if (latest === undefined)
        throw new Refusal('not_found', 'No head has been signed yet: the first comes within minutes.');
      return json(latest, SHORTLY);
    }),
    route('moves', async () => json({ moves: await statements() }, SHORTLY)),
    route('keys', async () => json({ keys: await publicKeys() }, SHORTLY)),
    route('consistency', ({ query }) => {
      const [from, to] = [sizeIn(query, 'from'), sizeIn(query, 'to')];
      return once(`from ${from} to ${to}`, () => proofs.consistency(from, to));
    }),
  ];
}
