/** Liveness and readiness of the service. */
import type { Lifecycle } from '../http/exchange.js';

/** Something that must work before requests are sent here: the event store, each projection. */
export interface ReadinessCheck {
  readonly name: string;
  /** Undefined: it works. Otherwise what is wrong, without secrets. */
  check(): Promise<string | Trouble | Note | undefined> | string | Trouble | Note | undefined;
  /** Omitted from the answer while it has nothing to report. */
  readonly quiet?: true;
}

/** A remark for the operator although the check passes. */
export interface Note {
  readonly note: string;
}

/** Progress of a problem that resolves by itself. */
export interface Trouble {
  readonly detail: string;
  /** 0 to 99. */
  readonly percent: number;
}

export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly phase: Lifecycle['phase'];
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly detail?: string;
    readonly percent?: number;
  }[];
}

/** A check that does not answer in this time, in ms, has failed. */
const WITHIN = 2000;

async function outcome({ name, check, quiet }: ReadinessCheck): Promise<readonly Readiness['checks'][number][]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`did not answer within ${WITHIN} ms`), WITHIN);
  });
  // A check that throws has failed. Its message may contain anything, so it is not shown.
  const checked = Promise.resolve()
    .then(check)
    .catch(() => 'unavailable');
  const found = await Promise.race([checked, late]);
  clearTimeout(timer);
  if (found === undefined) return quiet ? [] : [{ name, ok: true }];
  if (typeof found === 'string') return [{ name, ok: false, detail: found }];
  return 'note' in found ? [{ name, ok: true, detail: found.note }] : [{ name, ok: false, ...found }];
}

/** Runs all checks at once. */
export async function readiness(phase: Lifecycle['phase'], checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const outcomes = (await Promise.all(checks.map(outcome))).flat();
  const ready = phase === 'ready' && outcomes.every(({ ok }) => ok);
  return { status: ready ? 'ready' : 'not_ready', phase, checks: outcomes };
}
