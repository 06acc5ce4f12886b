/** Opens the inputs of `suuq audit verify`: the log, the stored tree, and the heads, next to the service that writes them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { messageOf } from '../../engine/messageOf.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { openEmbeddedReadModelsIfMade } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { accessOf, type OpenedRing, openRing } from '../../service/composition/privacy/vaults.js';
import { openMongo } from '../../service/engines/engines.js';
import { quietLog } from '../../service/log.js';
import { openStoredEvents, openTilesForReading, TILES } from '../../service/proofs/treePlaces.js';
import type { Env } from '../../service/settings/environment.js';
import { Undo } from '../../service/shutdown.js';
import type { Run } from '../backup/progress.js';
import { placeOf } from '../projections/storedHistory.js';
import { storedHome } from '../verify/storedData.js';
import { type AuditResult, audit } from './audit.js';
import { type OutsideHeads, outsideHeads } from './heads.js';
import { threadedLeaves } from './leafThreads.js';

export interface AuditRequest {
  /** Files, or http(s) addresses, of heads that other parties have stored. */
  readonly heads: readonly string[];
  readonly toleranceSeconds: number;
}

/** Events from which on threads are worth their start. */
const LARGE = 20_000;
/** Longest wait for an address, in ms, and the most that is taken from it, in bytes. */
const ADDRESS_MS = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Refuses `no_installation`, `heads_unreadable`; rejects with StoreUnavailable, or the signal's reason. */
export async function auditLog(env: Env, requested: AuditRequest, run: Run): Promise<AuditResult> {
  const { settings, folder } = placeOf(env);
  const { eventStoreUrl, mongoUrl } = settings;
  const home = storedHome(settings, folder);
  const outside = await headsAt(requested.heads);
  const log = quietLog();
  const undo = new Undo();
  try {
    const stored = await openStoredEvents(eventStoreUrl === undefined ? { folder } : { url: eventStoreUrl });
    undo.add('log', () => stored.close());
    const tiles = await openTilesForReading(mongoUrl === undefined ? { file: join(home, TILES) } : { url: mongoUrl });
    undo.add('tiles', () => tiles?.close());
    const work = mongoUrl === undefined ? embeddedWork(join(home, 'work.db')) : await openMongo(mongoUrl, 'work', log);
    undo.add('work', () => work?.close());
    const isLarge = eventStoreUrl === undefined && (await stored.head()) >= LARGE;
    const threads = isLarge ? { leaves: (head: Position) => threadedLeaves(folder, head) } : {};
    const { toleranceSeconds } = requested;
    const opening = await ringOf(settings, folder);
    undo.add('vault', () => opening?.close());
    const ring = defined({ ring: opening?.ring });
    return await audit({ log: stored, tiles, work, outside, toleranceSeconds, ...ring, ...threads }, run);
  } finally {
    await undo.run(log);
  }
}

/** Undefined: the master key is not here. */
async function ringOf(settings: Parameters<typeof accessOf>[0], folder: string): Promise<OpenedRing | undefined> {
  const access = accessOf(settings, folder);
  return access.masterKeys === undefined ? undefined : openRing(access);
}

const embeddedWork = (file: string): DocumentStore | undefined =>
  openEmbeddedReadModelsIfMade(file, { name: 'work.db' });

async function headsAt(places: readonly string[]): Promise<OutsideHeads> {
  const all = await Promise.all(places.map(async (place) => outsideHeads(await textAt(place), place)));
  return { heads: all.flatMap(({ heads }) => heads), keys: all.flatMap(({ keys }) => keys) };
}

async function textAt(place: string): Promise<string> {
  try {
    if (!/^https?:\/\//.test(place)) return await readFile(place, 'utf8');
    const answer = await fetch(place, { signal: AbortSignal.timeout(ADDRESS_MS) });
    if (!answer.ok || answer.body === null) throw new Error(`HTTP status ${answer.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error('it is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    return refuse('heads_unreadable', `${place} cannot be read: ${messageOf(error)}`);
  }
}
