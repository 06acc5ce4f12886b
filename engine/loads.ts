/** Loads under way, by name: who asks for the same meanwhile waits for one load. */
export class Loads<V> {
  readonly #underWay = new Map<string, Promise<V>>();

  /**
   * `load` is given a question: whether nothing was forgotten since it began. What it has read may be cached only then. A failed load is
   * not kept.
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

  /** Who asks from now on has a new load; who waits already is answered by the one that is under way. */
  forget(): void {
    this.#underWay.clear();
  }
}
