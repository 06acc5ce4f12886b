/** Processes, projections and processors, with their progress. */

/** Settings in force, of the instance that answers; of a secret, only that it is set. */
export interface ConsoleSettingsBody {
  readonly settings: readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
}

/** A store's error that a read model or a processor waits for: it goes on by itself when that has passed. */
export interface ConsoleTroubleBody {
  readonly error: string;
  readonly since: string;
}

export interface ConsoleWaitingBody extends ConsoleTroubleBody {
  readonly name: string;
}

/** The answer of `suuq status`. */
export interface ConsoleStatusBody {
  readonly instances: readonly {
    readonly name: string;
    readonly version: string;
    readonly address: string;
    readonly roles: readonly string[];
    readonly startedAt: string;
    readonly uptimeSeconds: number;
  }[];
  readonly engines: readonly {
    readonly name: string;
    readonly engine: string;
    readonly ok: boolean;
    readonly detail?: string;
  }[];
  /** Files of the data folder that are damaged. */
  readonly damaged: readonly { readonly code: string; readonly sentence: string; readonly remedy: string }[];
  readonly projections: {
    readonly count: number;
    readonly lag: number;
    readonly behind: readonly string[];
    readonly rebuilding: readonly string[];
    readonly stopped: readonly string[];
    readonly waiting: readonly ConsoleWaitingBody[];
  };
  readonly processors: {
    readonly count: number;
    /** Absent while the store that knows it does not answer. */
    readonly owed?: number;
    readonly firstDueAt?: string;
    readonly late: readonly string[];
    readonly stopped: readonly string[];
    readonly waiting: readonly ConsoleWaitingBody[];
  };
  readonly storage: {
    readonly bytes: number;
    readonly items: number;
    readonly disks: readonly { readonly name: string; readonly free?: number; readonly total?: number }[];
  };
}

export interface ConsolePoisonBody {
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly position: number;
  readonly error: string;
}

export interface ConsoleProjectionBody {
  readonly name: string;
  readonly version: number;
  readonly state: string;
  readonly position: number;
  readonly head: number;
  readonly lag: number;
  /** Unit of `lag` where the log does not count events. */
  readonly unit?: 'bytes';
  readonly eventsPerSecond: number;
  readonly etaMs?: number;
  readonly owner?: string;
  readonly skipped?: number;
  readonly poison?: ConsolePoisonBody;
  readonly trouble?: ConsoleTroubleBody;
  readonly handlersChanged?: true;
  /** Documents that differ from the log. */
  readonly differing?: number;
}

export interface ConsoleProcessorBody {
  readonly name: string;
  readonly state: 'running' | 'stopped';
  readonly position: number;
  readonly head: number;
  readonly lag: number;
  readonly unit?: 'bytes';
  readonly owed: number;
  readonly skipped: number;
  readonly stop?: ConsolePoisonBody;
  /** The instances that run it, where several may. */
  readonly owner?: string;
  /** Sum over all instances that run the processor; absent where none does. */
  readonly effectsPerSecond?: number;
  readonly trouble?: ConsoleTroubleBody;
}

/** A pending task of a processor. */
export interface ConsoleTaskBody {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  /** Number of the next attempt; 1 for a task that has not been tried. */
  readonly attempt: number;
  /** Throws in a row. */
  readonly failures: number;
  readonly dueAt: string;
  readonly createdAt: string;
}

export interface ConsoleMachineBody {
  readonly projections: readonly ConsoleProjectionBody[];
  readonly processors: readonly ConsoleProcessorBody[];
}
