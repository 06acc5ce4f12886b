/** Faults on demand: the next calls of an endpoint go wrong in a chosen way. */
import { defined } from '../../domain/defined.js';
import { PAYER_ACTS, type PayerAct } from './payments.js';

const FAULT_TARGETS = [
  'messages',
  /** The address of a file. */
  'media',
  'media_download',
  'media_upload',
  /** Creating, changing and deleting templates. */
  'templates',
  'template_list',
  'items_batch',
  'batch_status',
  'reviews',
  'payments',
  'payment_inquiries',
  'refunds',
] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** Which kinds make sense where; `error` and `hang` do everywhere. */
const KINDS = {
  error: FAULT_TARGETS,
  hang: FAULT_TARGETS,
  empty_handles: ['items_batch'],
  finished_with_errors: ['batch_status'],
  /** A failure that comes after the acceptance, with `code`. */
  fail_later: ['messages'],
  fail_later_131047: ['messages'],
  duplicate_statuses: ['messages'],
  disordered_statuses: ['messages'],
  /** Only `delivered` is reported, or only `read`. */
  skipped_statuses: ['messages'],
  only_read_status: ['messages'],
  /** No status ever comes. */
  no_statuses: ['messages'],
  not_found: ['media', 'media_download'],
  lying_mime_type: ['media'],
  wrong_sha256: ['media'],
  /** Half of what it is. */
  wrong_size: ['media'],
  expired: ['media_download'],
  endless_body: ['media_download'],
  /** 1 KB a second. */
  slow: ['media_download'],
  /** The connection breaks in the middle. */
  cut_off: ['media_download'],
  /** To another address, which nobody may follow with a token. */
  redirect: ['media_download'],
  /** The next customer to pay acts as `act` defines, whatever the number. */
  payer: ['payments'],
} as const satisfies Readonly<Record<string, readonly FaultTarget[]>>;
export type FaultKind = keyof typeof KINDS;

export interface Fault {
  readonly target: FaultTarget;
  readonly kind: FaultKind;
  /** The provider's error code, with `error`. */
  readonly code: number;
  /** Act of the customer, with `payer`. */
  readonly act?: PayerAct;
  /** Calls that it still meets. */
  times: number;
}

const TRANSIENT = 131016;
const MOST = 100;

export interface Faults {
  /** Adds a fault; a sentence when it makes no sense. */
  add(request: unknown): Fault | string;
  /** The fault that meets this call, counted down. */
  take(target: FaultTarget): Fault | undefined;
  list(): readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add(request) {
      const { target, kind, act, code = TRANSIENT, times = 1 } = (request ?? {}) as Partial<Record<string, unknown>>;
      const targets = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind as FaultKind] : undefined;
      if (targets === undefined) return `kind is one of ${Object.keys(KINDS).join(', ')}.`;
      if (!targets.some((name) => name === target)) return `target of ${kind} is one of ${targets.join(', ')}.`;
      if (!Number.isInteger(code) || !Number.isInteger(times) || (times as number) < 1)
        return 'code and times are whole numbers, times from 1.';
      const acts = PAYER_ACTS.find((known) => known === act);
      if (kind === 'payer' && acts === undefined) return `act is one of ${PAYER_ACTS.join(', ')}.`;
      if (faults.length >= MOST) return 'There are too many faults already: clear them first.';
      const fault: Fault = {
        target: target as FaultTarget,
        kind: kind as FaultKind,
        code: code as number,
        ...defined({ act: acts }),
        times: times as number,
      };
      faults.push(fault);
      return fault;
    },
    take(target) {
      const fault = faults.find((one) => one.target === target);
      if (fault !== undefined && --fault.times === 0) faults = faults.filter((one) => one !== fault);
      return fault;
    },
    list: () => faults,
    clear() {
      faults = [];
    },
  };
}
