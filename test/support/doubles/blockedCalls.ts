/** Blocks calls of a store until they are released, so that something can happen while they are in flight. */

export interface Delayed<Store> {
  readonly store: Store;
  /** Resolves when a call is blocked. */
  readonly reached: Promise<void>;
  /** Lets the call continue. With an error, the call rejects and does nothing. */
  release(error?: Error): void;
}

/** Blocks the first call of a method whose arguments fit. */
export function delaying<Store extends object, Method extends keyof Store>(
  store: Store,
  method: Method,
  fits: (...given: never[]) => boolean = () => true,
): Delayed<Store> {
  let reach!: () => void;
  let release!: (error?: Error) => void;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<Error | undefined>((resolve) => {
    release = resolve;
  });
  let armed = true;
  const original = store[method] as unknown as (...given: never[]) => Promise<unknown>;
  const cached = async (...given: never[]): Promise<unknown> => {
    if (armed && fits(...given)) {
      armed = false;
      reach();
      const error = await released;
      if (error !== undefined) throw error;
    }
    return original.apply(store, given);
  };
  return { store: { ...store, [method]: cached }, reached, release };
}

/** Rejects the calls of a method for which `error` returns an error. */
export function failing<Store extends object, Method extends keyof Store>(
  store: Store,
  method: Method,
  error: (...given: never[]) => Error | undefined,
): Store {
  const original = store[method] as unknown as (...given: never[]) => Promise<unknown>;
  const failed = async (...given: never[]): Promise<unknown> => {
    const thrown = error(...given);
    if (thrown !== undefined) throw thrown;
    return original.apply(store, given);
  };
  return { ...store, [method]: failed };
}
