import type { RecordedEvent } from '../../engine/ports/eventStore.js';

interface Named {
  readonly externalId: string;
  readonly name: string;
}

/** Names of a store's categories after the processed events. */
export class CategoryNames {
  readonly #names = new Map<string, string>();

  take({ type, data }: RecordedEvent): void {
    if (type !== 'CategoriesAdded' && type !== 'CategoriesRenamed') return;
    for (const { externalId, name } of (data as { categories: readonly Named[] }).categories)
      this.#names.set(externalId, name);
  }

  /** Returns the API's `CategoryRefBody`. Undefined: not a category. */
  get(externalId: unknown): Named | undefined {
    const name = typeof externalId === 'string' ? this.#names.get(externalId) : undefined;
    return name === undefined ? undefined : { externalId: String(externalId), name };
  }
}
