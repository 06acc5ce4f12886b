/** Test double around any store: calls wait, take effect late and in any order, or fail before or after they took effect. */
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';

// biome-ignore lint/suspicious/noExplicitAny: methods of any store
type Method = (...args: any[]) => any;
type MethodName<Store> = { [Name in keyof Store]: Store[Name] extends Method ? Name : never }[keyof Store];

/** A call that has arrived and waits. Nothing has happened in the store yet. */
export interface HeldCall<M = Method> {
  readonly args: M extends (...args: infer Args) => unknown ? Args : never;
  /** Runs the call in the store once; the caller still waits. Resolves when the store has settled it. */
  takeEffect(): Promise<void>;
  /** Settles the caller with what the store answered or rejected; runs the call first where that has not happened. */
  answer(): Promise<void>;
  /** Rejects the caller, whether or not the call took effect; it can still take effect afterwards. */
  fail(error?: Error): void;
}

export interface LateStore<Store> {
  readonly store: Store;
  /** The next call of this method waits until the test settles it. Resolves when it arrives. */
  hold<Name extends MethodName<Store>>(method: Name): Promise<HeldCall<Store[Name]>>;
  /** The next call of this method rejects and changes nothing. */
  failBefore(method: MethodName<Store>, error?: Error): void;
  /** The next call of this method takes effect and then rejects. */
  failAfter(method: MethodName<Store>, error?: Error): void;
}

/** Decides what becomes of one call; `run` makes the store take it. */
type Plan = (run: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>;

const noAnswer = (): Error => new StoreUnavailable('no answer in time');

/** Calls without a plan go straight to the store. Plans of one method are used in the order in which they were made. */
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
          const begun = (): Promise<unknown> => {
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
              takeEffect: () => settled(begun()),
              answer() {
                resolve(begun());
                return settled(begun());
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
