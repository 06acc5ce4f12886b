/** Delete hides what a stream has, Tombstone ends it for ever. */
import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { type handleUnaryCall, status } from '@grpc/grpc-js';
import type { Appender } from './appender.js';
import { type Expecting, expectedNumber, expectingOf } from './expectations.js';
import { streamIn } from './protocol.js';
import { malformed, Refusal, refusalOf, streamDeleted, toStatus } from './refusal.js';

function wrongVersion(stream: string, expecting: Expecting, actual: number): Refusal {
  const expected = expectedNumber(expecting);
  const text = `Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`;
  return new Refusal(
    status.FAILED_PRECONDITION,
    'WrongExpectedVersion',
    `Delete failed due to WrongExpectedVersion. ${text}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expected,
      'actual-version': String(actual),
    },
  );
}

/** Resolves with the position of what the deletion wrote; throws a Refusal. */
function deleted(appender: Appender, message: DeleteReq | TombstoneReq, deletion: 'soft' | 'hard'): Promise<string> {
  const options = message.getOptions();
  if (options === undefined) throw malformed('a deletion needs options');
  const stream = streamIn(options.getStreamIdentifier());
  const expecting = expectingOf(
    options,
    options.hasRevision() ? options.getRevision() : undefined,
    `${deletion === 'soft' ? 'DeleteReq' : 'TombstoneReq'}+Types+Options+ExpectedStreamRevisionOneofCase`,
  );
  const request = { stream, expected: expecting.expected, deletion, weight: 200 + stream.length };
  return new Promise((resolve, reject) =>
    appender.submit(request, (outcome) => {
      if (outcome instanceof Refusal) reject(outcome);
      else if (outcome.written) resolve(String(outcome.position));
      else reject(outcome.deleted ? streamDeleted(stream) : wrongVersion(stream, expecting, outcome.actual));
    }),
  );
}

const handler =
  <Req extends DeleteReq | TombstoneReq, Resp>(
    appender: Appender,
    deletion: 'soft' | 'hard',
    toAnswer: (position: string) => Resp,
  ): handleUnaryCall<Req, Resp> =>
  async ({ request }, callback) => {
    try {
      callback(null, toAnswer(await deleted(appender, request, deletion)));
    } catch (error) {
      callback(toStatus(refusalOf(error)));
    }
  };

export const deleteHandler = (appender: Appender) =>
  handler<DeleteReq, DeleteResp>(appender, 'soft', (at) =>
    new streamsPb.DeleteResp().setPosition(
      new streamsPb.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at),
    ),
  );

export const tombstoneHandler = (appender: Appender) =>
  handler<TombstoneReq, TombstoneResp>(appender, 'hard', (at) =>
    new streamsPb.TombstoneResp().setPosition(
      new streamsPb.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at),
    ),
  );
