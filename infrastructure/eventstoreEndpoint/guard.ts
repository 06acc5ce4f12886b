import type { Metadata, ServiceDefinition, StatusObject, UntypedServiceImplementation } from '@grpc/grpc-js';
import { malformed, type Refusal, toStatus } from './refusal.js';

/** Placeholder for a message whose bytes could not be read. */
const UNREADABLE = Symbol('unreadable');

const unreadable = (): Refusal => malformed('the message is no protobuf of this method');

/** The message, as it came in a stream of them. Throws a Refusal when its bytes could not be read. */
export function readable<Message>(message: Message): Message {
  if ((message as unknown) === UNREADABLE) throw unreadable();
  return message;
}

interface Call {
  readonly metadata: Metadata;
  readonly request?: unknown;
  emit(event: string, ...args: unknown[]): boolean;
}

type Callback = (error: StatusObject) => void;
type Handler = (call: Call, callback?: Callback) => void;

/**
 * A service whose calls are checked before its handlers hear of them: who calls which method, and whether the one message of a request
 * can be read at all (grpc-js would answer INTERNAL, EventStoreDB answers UNKNOWN). The messages of a stream are for the
 * handler to check, with `readable`: where it answers between them, grpc-js would leave a call without an end.
 */
export function guarded(
  service: ServiceDefinition,
  handlers: object,
  check: (metadata: Metadata, method: string) => Refusal | undefined,
): { definition: ServiceDefinition; implementation: UntypedServiceImplementation } {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: Record<string, Handler> = {};
  for (const [name, method] of Object.entries(service)) {
    const deserialize = (bytes: Buffer): unknown => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return UNREADABLE;
      }
    };
    definition[name] = { ...method, requestDeserialize: deserialize };
    implementation[name] = guardedHandler((handlers as Record<string, Handler>)[name]!, (metadata) =>
      check(metadata, name),
    );
  }
  return { definition, implementation: implementation as unknown as UntypedServiceImplementation };
}

function guardedHandler(handler: Handler, check: (metadata: Metadata) => Refusal | undefined): Handler {
  return (call, callback) => {
    const refusal = check(call.metadata) ?? (call.request === UNREADABLE ? unreadable() : undefined);
    if (refusal === undefined) handler(call, callback);
    else if (callback !== undefined) callback(toStatus(refusal));
    else call.emit('error', toStatus(refusal));
  };
}
