/** EventStoreDB's answer to a call of an unknown method. */
import { type Server, status } from '@grpc/grpc-js';
import { malformed, Refusal, toStatus } from './refusal.js';

interface Handler {
  readonly type: 'bidi';
  readonly path: string;
  func(call: { emit(event: 'error', error: object): boolean }): void;
  serialize(message: Buffer): Buffer;
  deserialize(bytes: Buffer): Buffer;
}

/** The one place of grpc-js's server that knows the path of a call which nobody has registered; it offers no other. */
interface Inside {
  _retrieveHandler(path: string): Handler | null;
}

const serviceOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const asIs = (bytes: Buffer): Buffer => bytes;

/** Undefined: a service of EventStoreDB's that is not offered; grpc-js names the method. */
function answerTo(path: string, known: ReadonlyMap<string, string>): Refusal | undefined {
  const isNot = `there is no method ${path}`;
  const right = known.get(path.toLowerCase());
  // It finds a method whatever the case of its name, and then fails.
  if (right !== undefined) return malformed(`${isNot}: it is called ${right}`);
  const unknown = (call: string) => new Refusal(status.UNIMPLEMENTED, 'Unknown', isNot, {}, { call });
  const service = serviceOf(path.toLowerCase());
  if ([...known.keys()].some((one) => serviceOf(one) === service)) return unknown('Method is unimplemented.');
  return service.startsWith('/event_store.client.') ? undefined : unknown('Received HTTP status code 404');
}

/** `paths`: of all methods that are there. */
export function answerUnknownMethods(server: Server, paths: readonly string[]): void {
  const inside = server as unknown as Inside;
  const retrieve = inside._retrieveHandler.bind(server);
  const known = new Map(paths.map((path) => [path.toLowerCase(), path]));
  inside._retrieveHandler = (path) => {
    const found = retrieve(path);
    const answer = found === null ? answerTo(path, known) : undefined;
    if (answer === undefined) return found;
    const func: Handler['func'] = (call) => void call.emit('error', toStatus(answer));
    return { type: 'bidi', path, func, serialize: asIs, deserialize: asIs };
  };
}
