import { messageOf } from '../messageOf.js';
import { Fenced, ReadModelError } from './documents.js';
import { LogDamaged, PayloadTooLarge, StoreUnavailable, WrongExpectedRevision } from './eventStore.js';

/**
 * Errors with which ports refuse a call. Any other rejection is a failure of the store, which is temporary or needs
 * repair.
 */
const REFUSALS = [StoreUnavailable, WrongExpectedRevision, PayloadTooLarge, LogDamaged, Fenced, ReadModelError];

/** Converts an error of a store to one that its port documents. */
export const portError = (error: unknown, store: string): unknown =>
  REFUSALS.some((kind) => error instanceof kind)
    ? error
    : new StoreUnavailable(`${store} failed: ${messageOf(error)}`, { cause: error });

/**
 * Wraps a store so that it rejects only with its port's errors, whatever its driver throws. `name`: label for readers.
 */
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
        // Cached by function, so that a replacement of the method may still call the original.
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
