/** Append: one stream's options, then its events, one message each. Nothing is written before the client has ended. */
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { handleClientStreamingCall } from '@grpc/grpc-js';
import type { Refused, Written } from '../sqlite/eventStore/messages.js';
import type { Appender } from './appender.js';
import { type Expecting, expectingOf } from './expectations.js';
import { readable } from './guard.js';
import { Proposals } from './proposals.js';
import { empty, streamIn } from './protocol.js';
import { malformed, Refusal, refusalOf, streamDeleted, toStatus } from './refusal.js';

interface Options {
  readonly stream: string;
  readonly expecting: Expecting;
  readonly events: Proposals;
}

function optionsIn(message: AppendReq): Options {
  const options = message.getOptions();
  if (options === undefined) throw malformed('the first message of an Append carries its options');
  const stream = streamIn(options.getStreamIdentifier());
  const revision = options.hasRevision() ? options.getRevision() : undefined;
  const expecting = expectingOf(options, revision, 'AppendReq+Types+Options+ExpectedStreamRevisionOneofCase');
  return { stream, expecting, events: new Proposals(stream) };
}

function take(message: AppendReq, options: Options): void {
  const event = message.getProposedMessage();
  if (event === undefined) throw malformed('after its options, an Append carries events');
  options.events.add(event);
}

export const appendHandler =
  (appender: Appender): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, callback) => {
    let options: Options | undefined;
    let over = false;
    const end = (refusal: Refusal): void => {
      over = true;
      callback(toStatus(refusal));
    };
    const attempt = (step: () => void): void => {
      if (over) return;
      try {
        step();
      } catch (error) {
        end(refusalOf(error));
      }
    };
    call.on('data', (message: AppendReq) =>
      attempt(() => {
        if (options === undefined) options = optionsIn(readable(message));
        else take(readable(message), options);
        if (!appender.crowded) return;
        call.pause();
        appender.roomy(() => call.resume());
      }),
    );
    call.on('cancelled', () => {
      over = true;
    });
    const finish = (): void => {
      if (options === undefined) throw malformed('an Append needs options');
      const { stream, expecting, events } = options;
      appender.submit(events.request(stream, expecting.expected), (outcome) => {
        if (outcome instanceof Refusal) end(outcome);
        else if (!outcome.written && outcome.deleted) end(streamDeleted(stream));
        else callback(null, outcome.written ? success(outcome) : wrongVersion(expecting, outcome));
      });
    };
    // A call that is cut off ends its messages too, a moment before it is known to be cancelled.
    call.on('end', () => setImmediate(() => attempt(finish)));
  };

function success({ revision, position, hidden }: Written): AppendResp {
  const message = new streamsPb.AppendResp.Success();
  if (revision === -1) message.setNoStream(empty());
  else message.setCurrentRevision(String(revision));
  if (hidden) message.setNoPosition(empty());
  else {
    const at = String(position);
    message.setPosition(new streamsPb.AppendResp.Position().setCommitPosition(at).setPreparePosition(at));
  }
  return new streamsPb.AppendResp().setSuccess(message);
}

/** 2^64-1, as far as a JS number and the serialiser go: the value for 'no stream' in the fields of 20.6. */
const ABOUT_U64_MAX = 2 ** 64 - 2 ** 11;

/** In the fields of 20.6 and in those of later versions. */
function wrongVersion(expecting: Expecting, { actual }: Refused): AppendResp {
  const message = new streamsPb.AppendResp.WrongExpectedVersion();
  if (actual === -1) message.setCurrentNoStream(empty()).setNoStream2060(empty());
  else message.setCurrentRevision(String(actual)).setCurrentRevision2060(actual);
  if (expecting.kind === 'any') message.setExpectedAny(empty()).setAny2060(empty());
  else if (expecting.kind === 'streamExists') message.setExpectedStreamExists(empty()).setStreamExists2060(empty());
  else if (expecting.kind === 'revision') {
    const number = Math.min(Number(expecting.revision), ABOUT_U64_MAX);
    message.setExpectedRevision(expecting.revision).setExpectedRevision2060(number);
  } else message.setExpectedNoStream(empty()).setExpectedRevision2060(ABOUT_U64_MAX);
  return new streamsPb.AppendResp().setWrongExpectedVersion(message);
}
