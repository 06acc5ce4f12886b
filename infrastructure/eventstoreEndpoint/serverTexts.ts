/** Texts of EventStoreDB's server where grpc-js, or a server without the service, has others. */
import { type ServerInterceptingCall as Call, type ServerInterceptor, status } from '@grpc/grpc-js';

const OURS = /^Received message larger than max/;
const THEIRS = 'Received message exceeds the maximum configured message size.';

/** A message that is too large is refused by grpc-js itself, below all interceptors; so this one is the first of them. */
export const serverTexts: ServerInterceptor = (_method, call) => {
  const send = call.sendStatus.bind(call);
  call.sendStatus = (given) =>
    send(
      given.code === status.RESOURCE_EXHAUSTED && OURS.test(given.details ?? '')
        ? { ...given, details: THEIRS }
        : given,
    );
  return call as Call;
};

interface Ending {
  emit(event: 'error', status: object): boolean;
}

/** Answers a call of a service that is switched off, as its projections are on most servers. */
export function switchedOff(call: Ending, callback?: (error: object) => void): void {
  const answer = { code: status.UNIMPLEMENTED, details: 'Received HTTP status code 404' };
  if (callback !== undefined) callback(answer);
  else call.emit('error', answer);
}
