import { messageOf } from '../messageOf.js';
import { Fenced, ReadModelError } from './documents.js';
import { LogDamaged, PayloadTooLarge, StoreUnavailable, WrongExpectedRevision } from './eventStore.js';

/** By what ports refuse a call. Every other rejection is the store's own trouble: it passes, or somebody mends it. */
const REFUSALS = [StoreUnavailable, WrongExpectedRevision, PayloadTooLarge, LogDamaged, Fenced, ReadModelError];

/** An error of a store as its port promises it. */
export const portError = (error: unknown, store: string): unknown =>
  REFUSALS.some((kind) => error instanceof kind)
    ? error
    : new StoreUnavailable(`${store} failed: ${messageOf(error)}`, { cause: error });

/** A store that rejects as its port promises, whatever its driver throws. `name`: what it is, for people. */
export function asPort<Store extends object>(store: Store, name: string): Store {
  const translated = (error: unknown): never => {
    throw portError(error, name);
  };
  const calls = new WeakMap<object, unknown>();
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      let call = calls.get(value);
      if (call === undefined) {
        // Of this very function, so that one which was put in its place may call it.
        call = (...given: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, given);
          return answer instanceof Promise ? answer.catch(translated) : answer;
        };
        calls.set(value, call);
      }
      return call;
    },
  });
}
