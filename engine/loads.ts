/** Running loads by name. Concurrent callers of the same name share one load. */
export class Loads<V> {
  readonly #underWay = new Map<string, Promise<V>>();

  /**
   * `load` receives `isCurrent`, which returns false after a `forget`. Cache what was loaded only while it returns
   * true. A failed load is not cached.
   */
  join(name: string, load: (isCurrent: () => boolean) => Promise<V>): Promise<V> {
    const before = this.#underWay.get(name);
    if (before !== undefined) return before;
    const isCurrent = (): boolean => this.#underWay.get(name) === loading;
    const loading: Promise<V> = Promise.resolve()
      .then(() => load(isCurrent))
      .finally(() => {
        if (isCurrent()) this.#underWay.delete(name);
      });
    this.#underWay.set(name, loading);
    return loading;
  }

  /** Makes later callers start a new load. Callers that wait already get the result of the running one. */
  forget(): void {
    this.#underWay.clear();
  }
}
