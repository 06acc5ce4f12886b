/** Answers of a BatchAppend to one of its appends. */
import codePb from '@eventstore/db-client/generated/code_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Refused, Written } from '../sqlite/eventStore/messages.js';
import type { Expecting } from './expectations.js';
import { identifierOf } from './protocol.js';
import { type Kind, MOST_DATA, type Refusal } from './refusal.js';

/** To whom an answer goes: the client knows its append by the correlation id. */
export interface Addressee {
  readonly correlation: UUID | undefined;
  /** Undefined: it named none. */
  readonly stream: string | undefined;
}

const { Code } = codePb;
/** Other kinds have the code of the call's status. */
const CODES: Partial<Record<Kind, number>> = {
  BadRequest: Code.INVALID_ARGUMENT,
  StreamDeleted: Code.NOT_FOUND,
  WrongExpectedVersion: Code.ALREADY_EXISTS,
};

function answerTo({ correlation, stream }: Addressee): BatchAppendResp {
  const message = new streamsPb.BatchAppendResp();
  if (correlation !== undefined) message.setCorrelationId(correlation);
  if (stream !== undefined) message.setStreamIdentifier(identifierOf(stream));
  return message;
}

export function successAnswer(to: Addressee, { revision, position, hidden }: Written): BatchAppendResp {
  const message = new streamsPb.BatchAppendResp.Success();
  if (revision === -1) message.setNoStream(new emptyPb.Empty());
  else message.setCurrentRevision(String(revision));
  if (hidden) message.setNoPosition(new emptyPb.Empty());
  else {
    const at = String(position);
    message.setPosition(new sharedPb.AllStreamPosition().setCommitPosition(at).setPreparePosition(at));
  }
  return answerTo(to).setSuccess(message);
}

export function wrongVersionAnswer(to: Addressee, expecting: Expecting, { actual }: Refused): BatchAppendResp {
  const details = new sharedPb.WrongExpectedVersion();
  if (actual === -1) details.setCurrentNoStream(new emptyPb.Empty());
  else details.setCurrentStreamRevision(String(actual));
  if (expecting.expected === 'any') details.setExpectedAny(new emptyPb.Empty());
  else if (expecting.expected === 'noStream') details.setExpectedNoStream(new emptyPb.Empty());
  else if (expecting.kind === 'revision') details.setExpectedStreamPosition(expecting.revision);
  else details.setExpectedStreamExists(new emptyPb.Empty());
  return errorAnswer(to, Code.ALREADY_EXISTS, 'WrongExpectedVersion', details.serializeBinary());
}

export function refusalAnswer(to: Addressee, refusal: Refusal): BatchAppendResp {
  const code = CODES[refusal.kind] ?? refusal.code;
  return errorAnswer(to, code, refusal.kind, detailsOf(refusal, to.stream ?? '').serializeBinary());
}

function detailsOf({ kind, message, texts }: Refusal, stream: string) {
  if (kind === 'StreamDeleted') return new sharedPb.StreamDeleted().setStreamIdentifier(identifierOf(stream));
  if (kind === 'MaximumAppendSizeExceeded') return new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(MOST_DATA);
  if (kind === 'BadRequest') return new sharedPb.BadRequest().setMessage(texts.batch ?? message);
  return kind === 'Timeout' ? new sharedPb.Timeout() : new sharedPb.Unknown();
}

function errorAnswer(to: Addressee, code: number, kind: Kind, details: Uint8Array): BatchAppendResp {
  const any = new anyPb.Any();
  any.pack(details, `event_store.client.${kind}`, 'type.googleapis.com/');
  const error: Status = new statusPb.Status().setCode(code).setMessage(kind).setDetails(any);
  return answerTo(to).setError(error);
}
