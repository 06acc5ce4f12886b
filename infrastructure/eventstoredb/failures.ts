/** Failures between this process and a server, in the terms of the port. */
import {
  AccessDeniedError,
  convertToCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  UnavailableError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import {
  PayloadTooLarge,
  StoreRefused,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../engine/ports/eventStore.js';

/** A failure after which the same may be tried again: a connection that broke, a server that is busy or away. */
export class Passing extends Error {
  override readonly name: string = 'Passing';
}

/** A node that answers, and cannot do its work now: another one may. */
export class Unfit extends Passing {
  override readonly name = 'Unfit';
}

/** The server has looked at an append and will never take it. The message has its words. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Words of a node that does not take appends, in a call's status or in the answer to one append. */
const UNFIT = /Server Is Not Ready|Server Is (?:Too )?Busy|No leader info available/i;

/** Undefined: these are no words of a node that cannot work. */
export const unfitnessOf = (text: string): string | undefined => UNFIT.exec(text)?.[0];

/** The port's own, and this adapter's. All others are a server's or the connection's, known or not. */
const FINAL = [Passing, StoreUnavailable, AppendRefused, PayloadTooLarge, WrongExpectedRevision];

/** As a web server answers, that knows no such address. Not 401 and 403: those are EventStoreDB's own too. */
const OF_THE_WEB = /HTTP status (?:code )?((?:[23]\d|4(?=0[04-9]|1|21))\d+)/;

/** Statuses that another try does not change. */
const LASTING = new Set<number>([status.INVALID_ARGUMENT, status.FAILED_PRECONDITION, status.OUT_OF_RANGE]);

/** gRPC ends its own texts with a note about names, which is empty as a rule. */
export const withoutNote = (details: string): string => details.replace(/\. Resolution note: *$/, '');

/** Text of a failure for people: gRPC's status and details; they hold no credentials. */
export function reasonOf(error: unknown): string {
  const { code, details } = error as { code?: unknown; details?: unknown };
  if (typeof code === 'number' && typeof details === 'string')
    return `${status[code] ?? code} ${withoutNote(details)}`.trim();
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Turns whatever a call ended with into an error of the port, or into a Passing one. */
export function failureOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Passing(String(error));
  if (FINAL.some((kind) => error instanceof kind)) return error;
  const known = commandError(error);
  const { code } = error as { code?: unknown };
  if (known instanceof AccessDeniedError || code === status.PERMISSION_DENIED) return accessRefused(code);
  if (known instanceof StreamDeletedError)
    return new StoreRefused(
      `the stream ${known.streamName} was tombstoned in EventStoreDB: nothing can be read or written there`,
    );
  if (known instanceof MaxAppendSizeExceededError)
    return new PayloadTooLarge(
      `EventStoreDB accepts at most ${known.maxAppendSize} bytes per append (MaxAppendSize): append fewer events at once`,
    );
  if (unfitnessOf(error.message) !== undefined) return new Unfit(reasonOf(error));
  const web = OF_THE_WEB.exec(reasonOf(error))?.[1];
  if (web !== undefined)
    return new StoreRefused(
      `the server there is not EventStoreDB (HTTP status ${web}): check host and port in the URL`,
    );
  if (code === status.UNIMPLEMENTED)
    return new StoreRefused(`EventStoreDB does not support this call: ${reasonOf(error)}`);
  if (typeof code === 'number' && LASTING.has(code))
    return new StoreUnavailable(`EventStoreDB refused the call: ${reasonOf(error)}`);
  return new Passing(reasonOf(error));
}

/** The server denies this user access, or does not know the user. */
export class AccessRefused extends StoreRefused {}

const accessRefused = (code: unknown): AccessRefused =>
  new AccessRefused(
    code === status.UNAUTHENTICATED
      ? 'EventStoreDB denied access: check user and password'
      : 'EventStoreDB denied access: the user lacks the permission to read $all or to write. See docs/operating/eventstoredb.md for the required settings',
  );

/** The client's reading of a gRPC error; some of its classes want metadata that not every server sends. */
function commandError(error: Error): Error {
  try {
    return convertToCommandError(error as Parameters<typeof convertToCommandError>[0]) as Error;
  } catch {
    return error;
  }
}

/** Address of the leader, if a node answered that it is not the leader. */
export function leaderNamedBy(error: Error): { address: string; port: number } | undefined {
  const known = commandError(error);
  return known instanceof NotLeaderError ? known.leader : undefined;
}

export const isConnectionLoss = (error: Error): boolean => commandError(error) instanceof UnavailableError;
