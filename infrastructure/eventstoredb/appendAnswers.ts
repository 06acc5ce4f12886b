/** Answers of the server to one append of a batch call. */
import { DeadlineExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import unpacker from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Expected, type Position, WrongExpectedRevision } from '../../engine/ports/eventStore.js';
import { refusalIn } from './appendRefusals.js';
import { failureOf, Passing, Unfit, unfitnessOf } from './failures.js';
import { positionOf } from './positions.js';

export interface Answered {
  readonly revision: number;
  /** Undefined: the same append was written before, and its events have been truncated since. */
  readonly position: Position | undefined;
}

/** The id that the append was sent with. A timeout of the server comes with the id in two halves, whatever form was sent. */
export function correlationOf(answer: BatchAppendResp): string {
  const id: UUID | undefined = answer.getCorrelationId();
  const halves = id?.getStructured();
  if (halves === undefined) return id?.getString() ?? '';
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The outcome, or the error to reject with: WrongExpectedRevision, PayloadTooLarge, AppendRefused, Passing (try again; Unfit: elsewhere), StoreUnavailable. */
export function outcomeOf(answer: BatchAppendResp, stream: string, expected: Expected): Answered | Error {
  const success = answer.getSuccess();
  if (success !== undefined) {
    const at = success.getPosition();
    const position = at && positionOf(Number(at.getCommitPosition()), Number(at.getPreparePosition()));
    return { revision: Number(success.getCurrentRevision()), position };
  }
  const failed = answer.getError();
  if (failed === undefined) return new Passing('the server sent an empty response to an append');
  const unfit = unfitnessOf(failed.getMessage());
  if (unfit !== undefined) return new Unfit(`the server refused an append: ${unfit}`);
  const refusal = refusalIn(failed, stream);
  if (refusal !== undefined) return refusal;
  const error = unpacked(failed, stream);
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    return new WrongExpectedRevision(stream, expected, actualVersion === 'no_stream' ? -1 : Number(actualVersion));
  }
  if (error instanceof DeadlineExceededError) return new Passing('the server aborted the append');
  return failureOf(error);
}

function unpacked(failed: NonNullable<ReturnType<BatchAppendResp['getError']>>, stream: string): Error {
  try {
    return unpacker.unpackToCommandError(failed, stream);
  } catch {
    return new Passing(`the server refused an append: ${failed.getMessage()}`);
  }
}
