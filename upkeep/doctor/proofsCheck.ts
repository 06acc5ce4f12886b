/**
 * Checks that the proofs are up to date: the signing key, the newest head, and the tree behind it. `suuq audit verify` checks everything.
 */
import { join } from 'node:path';
import { proofKeys, publicKeysIn, signingKeyIn } from '../../application/proofs/signingKeys.js';
import { latestHead, proofHeads } from '../../application/proofs/treeHeads.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { distance, measureOf } from '../../engine/ports/eventStore.js';
import { readState, type TreeState, tilesDefinition } from '../../engine/proofs/tiles.js';
import { isSignedBy } from '../../engine/proofs/treeHead.js';
import { findMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openTilesForReading, TILES } from '../../service/proofs/treePlaces.js';
import type { Settings } from '../../service/settings/settings.js';
import type { Stored } from '../verify/storedData.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';
import type { Running } from './runningService.js';
import { type OpenStored, storedCheck } from './storedChecks.js';

/** Lag of a running service's tree without a warning: for a long log it is rebuilt within minutes. */
const BEHIND = 10_000;

export interface ProofsPlace {
  readonly settings: Pick<Settings, 'mongoUrl' | 'masterKeys'>;
  /** The data folder. */
  readonly folder: string;
}

async function treeOf({ settings: { mongoUrl } }: ProofsPlace, home: string): Promise<TreeState | undefined> {
  const tiles = await openTilesForReading(mongoUrl === undefined ? { file: join(home, TILES) } : { url: mongoUrl });
  if (tiles === undefined) return undefined;
  try {
    return (await tiles.list()).includes(tilesDefinition.name) ? await readState(tiles) : undefined;
  } finally {
    await tiles.close();
  }
}

/** Nothing if the key is missing: the folder's own check reports that. */
async function keyFound({ settings, folder }: ProofsPlace, work: DocumentStore): Promise<readonly Found[]> {
  const masterKeys = findMasterKeys(folder, settings.masterKeys);
  if (masterKeys === undefined) return [];
  const key = await signingKeyIn(work, createSecretBox(...masterKeys));
  if (key === undefined || key.readable) return [];
  return [
    problem(
      'key_unreadable',
      `The key ${key.keyId} that signs heads of the log is encrypted with a master key that is not configured.`,
      "Add that master key, or create a new signing key: 'suuq audit rotate-key'.",
    ),
  ];
}

async function behindFound({ log, home }: Stored, place: ProofsPlace, running: Running, signed: number) {
  const tree = await treeOf(place, home);
  if (tree === undefined)
    return [
      warning('tree_missing', 'Heads were signed, but their proof tree is missing.', 'A running service rebuilds it.'),
    ];
  if (tree.size < signed)
    return [
      problem(
        'tree_is_shorter',
        `A head was signed for ${signed.toLocaleString('en')} events, but the tree has only ${tree.size.toLocaleString('en')}.`,
        "Run 'suuq audit verify' first: it lists the differences.",
      ),
    ];
  const lag = distance(measureOf(log), tree.position, await log.head());
  if (running.state !== 'running' || lag <= BEHIND) return [];
  const far = lag.toLocaleString('en');
  return [
    warning(
      'tree_behind',
      `The proof tree lags behind the log by ${far}.`,
      "Check the service's log and the metric suuq_proofs_behind_seconds.",
    ),
  ];
}

export const proofsCheck = (stored: OpenStored, running: Running, place: ProofsPlace): Check =>
  storedCheck('proofs', stored, async (known) => {
    const { work } = known;
    const names = work === undefined ? [] : await work.list();
    const started = names.includes(proofKeys.name) && names.includes(proofHeads.name);
    const head = started ? await latestHead(work!) : undefined;
    if (head === undefined) return [ok('proofs_not_begun', 'No head of the log has been signed yet.')];
    const key = (await publicKeysIn(work!)).find(({ keyId }) => keyId === head.keyId);
    const found: Found[] = [
      ...(await keyFound(place, work!)),
      ...(await behindFound(known, place, running, head.size)),
    ];
    if (key === undefined || !isSignedBy(head, key.publicKey))
      found.push(
        problem(
          'head_not_signed',
          `The newest head, for ${head.size.toLocaleString('en')} events, is not signed by a key of this log.`,
          "Run 'suuq audit verify', which checks all heads, and restore the work that belongs to the log.",
        ),
      );
    if (found.length > 0) return found;
    return [
      ok('proofs_right', `The newest head, for ${head.size.toLocaleString('en')} events, was signed at ${head.time}.`),
    ];
  });
