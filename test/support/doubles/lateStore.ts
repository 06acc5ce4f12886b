/** Test double around any store: calls wait, take effect late and in any order, or fail before or after they took effect. */
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';

// biome-ignore lint/suspicious/noExplicitAny: methods of any store
type Method = (...args: any[]) => any;
type MethodName<Store> = { [Name in keyof Store]: Store[Name] extends Method ? Name : never }[keyof Store];

/** A call that has arrived and waits. The store has not changed yet. */
export interface DelayedCall<M = Method> {
  readonly args: M extends (...args: infer Args) => unknown ? Args : never;
  /** Runs the call in the store once while the caller waits. Resolves when the store has settled it. */
  takeEffect(): Promise<void>;
  /** Settles the caller with the store's result. Runs the call first if that has not happened. */
  answer(): Promise<void>;
  /** Rejects the caller, whether or not the call took effect. It can still take effect afterwards. */
  fail(error?: Error): void;
}

export interface LateStore<Store> {
  readonly store: Store;
  /** Makes the next call of this method wait until the test settles it. Resolves when the call arrives. */
  hold<Name extends MethodName<Store>>(method: Name): Promise<DelayedCall<Store[Name]>>;
  /** Makes the next call of this method reject without changing anything. */
  failBefore(method: MethodName<Store>, error?: Error): void;
  /** Makes the next call of this method take effect and then reject. */
  failAfter(method: MethodName<Store>, error?: Error): void;
}

/** Decides the outcome of one call. `run` runs it in the store. */
type Plan = (run: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>;

const noAnswer = (): Error => new StoreUnavailable('no answer in time');

/** Wraps a store. Calls without a plan go straight through. Plans of one method are used in order of creation. */
export function lateStore<Store extends object>(inner: Store): LateStore<Store> {
  const plans = new Map<PropertyKey, Plan[]>();
  const plan = (method: PropertyKey, one: Plan): void => {
    const queue = plans.get(method) ?? [];
    queue.push(one);
    plans.set(method, queue);
  };
  const store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const next = plans.get(name)?.shift();
        const run = (): unknown => (value as Method).apply(target, args);
        return next === undefined ? run() : next(async () => run(), args);
      };
    },
  });
  return {
    store,
    hold: (method) =>
      new Promise((arrived) => {
        plan(method, (run, args) => {
          let effect: Promise<unknown> | undefined;
          const started = (): Promise<unknown> => {
            effect ??= run();
            effect.catch(() => undefined);
            return effect;
          };
          const settled = async (work: Promise<unknown>): Promise<void> => {
            await work.then(
              () => undefined,
              () => undefined,
            );
          };
          return new Promise((resolve, reject) => {
            arrived({
              args: args as never,
              takeEffect: () => settled(started()),
              answer() {
                resolve(started());
                return settled(started());
              },
              fail: (error = noAnswer()) => reject(error),
            });
          });
        });
      }),
    failBefore: (method, error = noAnswer()) => plan(method, () => Promise.reject(error)),
    failAfter: (method, error = noAnswer()) =>
      plan(method, async (run) => {
        await run();
        throw error;
      }),
  };
}
