import { randomUUID } from 'node:crypto';
import type { AccessDirectory } from '../../application/access/principal.js';
import type { RequestLog } from '../../application/console/requestLog.js';
import type { Files } from '../../application/files/files.js';
import type { OrderHistories } from '../../application/orders/orderHistory.js';
import type { SearchedIndex } from '../../application/ports/historyIndex.js';
import type { LocalFiles } from '../../application/ports/localFiles.js';
import type { LocalListeners } from '../../application/ports/localListeners.js';
import type { PersonKeys } from '../../application/ports/personKeys.js';
import type { SealingKeys } from '../../application/ports/sealingKeys.js';
import type { SecretBox } from '../../application/ports/secretBox.js';
import type { Forgetting } from '../../application/privacy/forgetting.js';
import type { Retaining } from '../../application/privacy/retentionWalks.js';
import type { Proofs } from '../../application/proofs/proofs.js';
import type { SoundTools } from '../../application/recordings/recordingUploads.js';
import { aboutStore as aboutStoreBy } from '../../application/storeMetadata.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Documents } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import type { ProcessorAtRest } from '../../engine/processors/processorStops.js';
import type { BringForward, WaitingTask } from '../../engine/processors/retries.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { stores } from '../../projections/stores.js';
import type { Damage } from '../folder/damagedFiles.js';

export interface RunningProcessor {
  /** The instances that run it, where several may share it. */
  readonly owner?: string;
  /** Sum of all instances. */
  readonly effectsPerSecond: number;
  /** A store's error that one of them waits for: it goes on by itself when that has passed. */
  readonly trouble?: { readonly error: string /** RFC 3339. */; readonly since: string };
}

/** An installation as a whole, as far as this process knows it. */
export interface InstallationFacts {
  /** The services that run; none where a command opened the engines, and nobody else has. */
  instances(): Promise<
    readonly {
      readonly name: string;
      readonly version: string;
      /** ms since 1970. */
      readonly startedAt: number;
      readonly roles: readonly string[];
      readonly address: string;
    }[]
  >;
  /** Reports of the instances that run processors, for each processor. */
  processors(): Promise<ReadonlyMap<string, RunningProcessor>>;
  /** Event store, read models, file store; `engine`: for people, without credentials. */
  engines(): Promise<
    readonly { readonly name: string; readonly engine: string; readonly ok: boolean; readonly detail?: string }[]
  >;
  /** Files of the data folder that are damaged, as far as it is known. */
  damaged(): readonly Damage[];
  /** The settings in force, without secrets. */
  readonly settings: readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
  /** Disks by the folders on them: bytes; absent if the file system does not report them. */
  disks(): Promise<readonly { readonly name: string; readonly free?: number; readonly total?: number }[]>;
}

/** Dependencies of the operator's commands, in the running service or on its data folder. */
export interface AdminContext {
  readonly commandHandler: CommandHandler;
  readonly reads: Reads;
  readonly secretBox: SecretBox;
  readonly sealingKeys: SealingKeys;
  /** The whole of what happened. */
  readonly eventLog: Pick<EventStore, 'readAll' | 'readStream' | 'head' | 'measure'>;
  /** Absent if there is none. */
  readonly historyIndex?: SearchedIndex | undefined;
  /** Those that the service writes. */
  readonly eventTypes: readonly string[];
  /** The log as it is stored, with sealed personal data. */
  readonly storedLog: Pick<EventStore, 'readAll' | 'head'>;
  /** Keys of customers; absent where nothing is sealed. */
  readonly people?: PersonKeys;
  /** Has customers forgotten, and goes on with what was interrupted. */
  readonly forgetting?: Forgetting;
  /** Erases customers by the retention rules. */
  readonly retaining?: Retaining;
  readonly directory: Pick<AccessDirectory, 'forget'>;
  /** True when every projection that reads one of these categories has passed `position`; false after `timeoutMs`. */
  waitFor(categories: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  readonly projections: Pick<ProjectionHost, 'status' | 'rebuild'>;
  /** State of the processors in the documents and the log, whichever instance runs them. */
  processors(): Promise<readonly ProcessorAtRest[]>;
  /** Pending tasks of the processors. */
  readonly tasks: {
    /** Those that are due first. */
    waiting(processor: string, most: number): Promise<readonly WaitingTask[]>;
    /** Makes them due now, and answers how many. */
    bringForward(requested: BringForward): Promise<number>;
  };
  readonly histories: OrderHistories<object>;
  readonly proofs: Proofs;
  readonly sounds: SoundTools;
  readonly localFiles: LocalFiles;
  /** Files of the stores. */
  readonly files: Pick<Files, 'openFile'>;
  /** Log of attempts to deliver webhooks. */
  readonly deliveryLog: Pick<Documents, 'find' | 'getMany'>;
  readonly installation: InstallationFacts;
  /** Address of the console; absent if no service runs. */
  readonly consoleUrl?: string;
  /** The last requests; absent where no service runs. */
  readonly requestLog?: RequestLog;
  /** Addresses on this machine that the service may send webhooks to; absent where no service runs that sends them. */
  readonly listeners?: LocalListeners;
  /** Data with which the channel reaches this installation, for connecting a number. */
  readonly channel: { readonly webhookUrl: string; readonly verifyToken: string; readonly appSecret: string };
}

/** One command of the operator: its commands and reads, and the services behind it. */
export interface AdminWork extends Omit<AdminContext, 'commandHandler' | 'directory' | 'waitFor'> {
  /** The same name gives the same id within a command, and again when it is repeated with its Idempotency-Key. */
  newId(name: string): string;
  /** `about`: whose store or partner the events are, for their metadata. */
  commands(about?: { workspaceId?: string; partnerId?: string }): BoundCommands;
}

/** The same for one that only reads. */
export type AdminReads = Omit<AdminWork, 'commands' | 'newId'>;

/** Refuses `not_found` where there is no such store. */
export async function requireStore({ reads }: Pick<AdminReads, 'reads'>, workspaceId: string): Promise<void> {
  if ((await reads.get(stores, workspaceId)) === undefined) refuse('not_found', `There is no store ${workspaceId}.`);
}

/** Whose events a command on this store makes: the store's and its partner's. */
export const aboutStore = (work: AdminWork, workspaceId: string) => aboutStoreBy(work.commands(), workspaceId);

/** Caller of a command: the account, and the request. */
export interface AdminCaller {
  /** Account of the caller, for the events. */
  readonly operator?: string;
  /** Determines the ids that the command makes; the same for a repetition with its Idempotency-Key. Random when absent. */
  readonly seed?: string;
}

/** Longest wait for the views of a change, in ms. */
const VIEWS_WITHIN = 5000;

/**
 * Runs one command of the operator. When it returns, the views show its changes, unless they are more than 5 s late: the change is stored
 * in any case, and a result with a key in it must not be lost.
 */
export async function runAdmin<R>(
  context: AdminContext,
  run: (work: AdminWork) => Promise<R>,
  { operator, seed = randomUUID() }: AdminCaller = {},
): Promise<R> {
  const { commandHandler, directory, waitFor, ...services } = context;
  const correlationId = randomUUID();
  const categories = new Set<string>();
  let position: Position = BEFORE_ALL;
  let turn = 0;
  const reached = (at: Position, category: string): void => {
    categories.add(category);
    position = Math.max(position, at);
  };
  const commands: AdminWork['commands'] = (about = {}) => {
    const actor = { type: 'system', id: 'operator' } as const;
    const next = () => ({
      commandId: derivedId(correlationId, turn++),
      isDrawn: true as const,
      correlationId,
      actor,
      ...about,
      ...defined({ operator }),
    });
    return bindCommands(commandHandler, next, reached);
  };
  try {
    return await run({ ...services, commands, newId: (name) => derivedId(seed, 'id', name) });
  } finally {
    if (position !== BEFORE_ALL) {
      await waitFor([...categories], position, VIEWS_WITHIN).catch(() => false);
      directory.forget();
    }
  }
}
