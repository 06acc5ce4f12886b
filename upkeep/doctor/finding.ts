/** Findings of `suuq doctor`, and the form of its checks. */

/** `warning`: it works, and should not stay so. `problem`: it does not work, or will not at the next start. */
export type Level = 'ok' | 'warning' | 'problem';

/** Names of the checks in the order of the report. */
export const CHECKS = [
  'node',
  'settings',
  'folder',
  'disk',
  'service',
  'ports',
  'event log',
  'documents',
  'clocks',
  'belonging',
  'keys',
  'projections',
  'processors',
  'proofs',
  'files',
] as const;

export type CheckName = (typeof CHECKS)[number];

export interface Finding {
  readonly check: CheckName;
  readonly level: Level;
  /** Stable, for scripts. */
  readonly code: string;
  /** One sentence, without secrets. */
  readonly message: string;
  /** Advice; absent if there is nothing to do. */
  readonly advice?: string;
}

/** A finding without its check's name, which is added where the check is run. */
export type Found = Omit<Finding, 'check'>;

/** One look at one thing. It changes nothing. */
export interface Check {
  readonly name: CheckName;
  /** Longest time, in ms; 5,000 when absent. */
  readonly withinMs?: number;
  /** `signal` is aborted when the time is over: what is open is to be closed. A rejection is a finding of its own. */
  run(signal: AbortSignal): Promise<readonly Found[]>;
}

export const ok = (code: string, message: string): Found => ({ level: 'ok', code, message });

export const warning = (code: string, message: string, advice: string): Found => ({
  level: 'warning',
  code,
  message,
  advice,
});

export const problem = (code: string, message: string, advice: string): Found => ({
  level: 'problem',
  code,
  message,
  advice,
});
