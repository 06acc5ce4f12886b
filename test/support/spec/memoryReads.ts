import type { StoredDocument } from '../../../engine/ports/documents.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../../engine/projections/projection.js';
import type { Reads } from '../../../engine/projections/reads.js';

/** Returns queries over views that are folded from the log on each query. Conditions support equality only. */
export function readsOf(views: readonly AnyProjection[], events: () => readonly RecordedEvent[]): Reads {
  const documents = (name: string): StoredDocument<never>[] => {
    const projection = views.find((one) => one.name === name);
    if (projection === undefined) throw new Error(`the specification has no view '${name}'`);
    const found = new Map<string, View<unknown> | undefined>();
    for (const event of events())
      if (projection.categories.some((category) => event.stream.startsWith(`${category}-`)))
        foldEvent(projection, found, event);
    return [...found].flatMap(([id, view]) =>
      view === undefined
        ? []
        : [{ id, keys: view.keys, body: view.body as never, revision: 0, json: JSON.stringify(view.body) }],
    );
  };
  const where = (name: string, conditions: object = {}): StoredDocument<never>[] =>
    documents(name).filter(({ keys }) => Object.entries(conditions).every(([key, value]) => keys[key] === value));
  return {
    get: async ({ name }, id) => documents(name).find((one) => one.id === id),
    getMany: async ({ name }, ids) =>
      new Map(documents(name).flatMap((one) => (ids.includes(one.id) ? [[one.id, one]] : []))),
    find: async ({ name }, query) => where(name, query.where).slice(0, query.limit),
    count: async ({ name }, conditions, limit) => Math.min(limit, where(name, conditions).length),
  };
}
