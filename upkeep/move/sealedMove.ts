/** People of a history from before are sealed on its way into another log; and what is signed, so that the proofs of both hang together. */
import { statementsIn, storeEarlierHeads, storeStatement } from '../../application/proofs/movedLogs.js';
import { ProofKeys, type PublicKey, proofKeys, publicKeysIn } from '../../application/proofs/signingKeys.js';
import { headsIn, proofHeads, storeHead } from '../../application/proofs/treeHeads.js';
import { refuse } from '../../domain/decider.js';
import type { Change } from '../../engine/moving/moveHistory.js';
import { systemClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { LogRoot, SignedStatement } from '../../engine/proofs/moveStatement.js';
import { isSignedBy, type SignedHead } from '../../engine/proofs/treeHead.js';
import type { KeyRing } from '../../engine/sealing/keyRing.js';
import { Sealer } from '../../engine/sealing/sealer.js';
import { openedEvents } from '../../engine/sealing/sealingStore.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { VAULT } from '../../infrastructure/sqlite/personVault.js';
import { storedEvents } from '../../service/composition/events.js';
import { openVault, requireVault, sealingOf, takePeopleAlong } from '../../service/composition/privacy/vaults.js';
import type { DataFolder } from '../../service/folder/dataFolder.js';
import { leavesAsStored, leavesBeforeMove, logRoot } from '../../service/proofs/logRoots.js';
import { openStoredEvents } from '../../service/proofs/treePlaces.js';
import type { MoveSettings } from '../../service/settings/moveSettings.js';
import type { Undo } from '../../service/shutdown.js';
import { beginWork } from './movedWork.js';
import type { MoveTarget } from './moveTargets.js';

export interface SealedMove {
  readonly change: Change;
  /** When all is copied: signs it, once. Undefined where no leaf has changed, or there was no event. */
  prove(): Promise<SignedStatement | undefined>;
}

interface Sealed {
  readonly settings: MoveSettings;
  readonly folder: DataFolder;
  readonly source: EventStore;
  readonly target: MoveTarget;
  /** Work of the source; undefined: it has no history. */
  readonly work: DocumentStore | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * People who have keys already keep them, with all that leads to them. Refuses `log_contradicts_head`; rejects with VaultMissing,
 * MasterKeyMissing, StoreUnavailable, or the signal's reason.
 */
export async function sealOnTheWay(parts: Sealed, undo: Undo): Promise<SealedMove> {
  const { settings, folder, source, target, work, report, signal } = parts;
  const own = folder.file(VAULT);
  await requireVault(source, { file: own });
  report('checking the signed heads');
  const from = work && (await provenRoot(folder, work, signal));
  if (work !== undefined) {
    await beginWork(target.work);
    await target.begin?.();
  }
  const box = createSecretBox(...loadMasterKeys(folder.path, settings.masterKeys));
  const vault = await openVault(target.vault, target.work);
  undo.add('vault', () => vault.close());
  if (!('file' in target.vault && target.vault.file === own)) await takePeopleAlong(own, async () => vault);
  const sealing = sealingOf(vault, box, target.vault, storedEvents);
  const sealer = new Sealer(target.log, sealing);
  const keys = new ProofKeys({ work: target.work, secretBox: box, sealingKeys: box, clock: systemClock });
  return {
    change: {
      written: (event) => sealer.sealMoved(event.stream, event),
      shown: (events) => openedEvents(events, sealing.ring),
      isDone: (event) => !sealer.isClear(event.stream, event),
    },
    async prove() {
      if (work === undefined || from === undefined || from.size === 0) return undefined;
      report('computing the signed statement of both logs');
      return statement({ from, work, target, keys, ring: sealing.ring, signal });
    },
  };
}

/** The root over the source, whose stored heads must all be right: an earlier manipulation must not be signed as genuine. */
async function provenRoot(folder: DataFolder, work: DocumentStore, signal: AbortSignal): Promise<LogRoot | undefined> {
  const stored = await openStoredEvents({ folder: folder.path });
  try {
    const heads = (await work.list()).includes(proofHeads.name) ? headsIn(work) : undefined;
    const keys = heads === undefined ? [] : await publicKeysIn(work);
    let next = (await heads?.next())?.value ?? undefined;
    const seen = async (root: string): Promise<void> => {
      requireRight(next!, root, keys);
      next = (await heads!.next()).value ?? undefined;
    };
    const root = await logRoot(stored, {
      leaves: leavesAsStored,
      signal,
      seen: (size, rootHere) => (next?.size === size ? seen(rootHere()) : undefined),
    });
    if (next !== undefined) requireRight(next, '', keys);
    return root;
  } finally {
    await stored.close();
  }
}

function requireRight(head: SignedHead, root: string, keys: readonly PublicKey[]): void {
  const key = keys.find(({ keyId }) => keyId === head.keyId);
  if (head.rootHash === root && key !== undefined && isSignedBy(head, key.publicKey)) return;
  refuse(
    'log_contradicts_head',
    `The log does not fit the head of ${head.size} events that was signed at ${head.time}. It cannot be sealed until that is resolved: run 'suuq audit verify' to list the differences.`,
  );
}

interface Stating {
  readonly from: LogRoot;
  readonly work: DocumentStore;
  readonly target: MoveTarget;
  readonly keys: ProofKeys;
  readonly ring: KeyRing;
  readonly signal: AbortSignal;
}

/** Heads in one write. */
const HEADS = 200;

async function statement({ from, work, target, keys, ring, signal }: Stating): Promise<SignedStatement | undefined> {
  const stored = await target.stored();
  try {
    const to = (await logRoot(stored, { leaves: leavesAsStored, signal }))!;
    if (to.rootHash === from.rootHash) return undefined;
    const again = await logRoot(stored, { leaves: leavesBeforeMove(ring), signal });
    const move = (await statementsIn(work)).length;
    await carryHeads(work, target.work, move);
    const time = new Date(systemClock.now()).toISOString();
    await target.work.open(proofKeys);
    await target.work.open(proofHeads);
    const made = await keys.state({ from, to, reopens: again?.rootHash === from.rootHash, time });
    const retained = await storeStatement(target.work, move, made);
    await storeHead(target.work, await keys.sign({ ...to, time: retained.time }), undefined);
    return retained;
  } finally {
    await stored.close();
  }
}

async function carryHeads(from: DocumentStore, to: DocumentStore, move: number): Promise<void> {
  if (!(await from.list()).includes(proofHeads.name)) return;
  const page: SignedHead[] = [];
  for await (const head of headsIn(from)) {
    page.push(head);
    if (page.length === HEADS) await storeEarlierHeads(to, move, page.splice(0));
  }
  await storeEarlierHeads(to, move, page);
}
