import type { RecordedEvent } from '../../engine/ports/eventStore.js';

interface Named {
  readonly externalId: string;
  readonly name: string;
}

/** Names of a store's categories, as they are after the events that were taken. */
export class CategoryNames {
  readonly #names = new Map<string, string>();

  take({ type, data }: RecordedEvent): void {
    if (type !== 'CategoriesAdded' && type !== 'CategoriesRenamed') return;
    for (const { externalId, name } of (data as { categories: readonly Named[] }).categories)
      this.#names.set(externalId, name);
  }

  /** The API's `CategoryRefBody`; undefined for what is no category. */
  get(externalId: unknown): Named | undefined {
    const name = typeof externalId === 'string' ? this.#names.get(externalId) : undefined;
    return name === undefined ? undefined : { externalId: String(externalId), name };
  }
}
