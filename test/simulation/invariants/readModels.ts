import { categoryOf } from '../../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../../engine/projections/projection.js';
import { shardKeyOf } from '../../../engine/shards.js';
import { projections } from '../../../projections/index.js';
import type { Data } from '../world/engines.js';
import type { Invariant } from './invariant.js';

function folded(projection: AnyProjection, { log }: Pick<Data, 'log'>): Map<string, View<unknown> | undefined> {
  const views = new Map<string, View<unknown> | undefined>();
  for (const event of log.events)
    if (projection.categories.includes(categoryOf(event.stream))) foldEvent(projection, views, event);
  return views;
}

/** Lists the documents of a read model that differ from a new fold of the log. */
export function differences(projection: AnyProjection, data: Pick<Data, 'log' | 'views'>): string[] {
  const wrong: string[] = [];
  const expected = folded(projection, data);
  const isCurrent = data.views.list().includes(data.views.resolve(projection.name));
  if (!isCurrent) return [`${projection.name} is not there`];
  const { documents } = data.views.of(projection.name);
  const names = Object.keys(projection.keys);
  for (const [id, view] of expected) {
    const stored = documents.get(id);
    if (view === undefined) {
      if (stored?.json !== undefined) wrong.push(`${projection.name} ${id} stands, and should be gone`);
      continue;
    }
    const keys = JSON.stringify(names.map((name) => view.keys[name] ?? null));
    const body = JSON.stringify(view.body);
    if (stored?.json !== body) wrong.push(`${projection.name} ${id} is ${stored?.json}, and should be ${body}`);
    else if (JSON.stringify(names.map((name) => stored.keys[name])) !== keys)
      wrong.push(`${projection.name} ${id} has other keys than ${keys}`);
  }
  for (const { id, json } of documents.values())
    if (json !== undefined && !expected.has(id)) wrong.push(`${projection.name} ${id} stands, and no event led to it`);
  return wrong;
}

/** Lists documents that events of two stores touch in a model partitioned by store. Two instances would write them. */
function touchedByTwo(projection: AnyProjection, { log }: Data): string[] {
  const wrong: string[] = [];
  const views = new Map<string, View<unknown> | undefined>();
  const stores = new Map<string, string>();
  for (const event of log.events) {
    if (!projection.categories.includes(categoryOf(event.stream))) continue;
    const store = shardKeyOf(event);
    for (const id of foldEvent(projection, views, event)) {
      const before = stores.get(id) ?? store;
      if (before !== store)
        wrong.push(`${projection.name} ${id} is touched by ${event.type} of ${store}, and was by ${before}`);
      stores.set(id, store);
    }
  }
  return wrong;
}

/** Read models declared as partitioned keep the documents of different stores separate. */
export const partitioned: Invariant = ({ data }) =>
  projections.filter((one) => one.partitionedBy === 'store').flatMap((projection) => touchedByTwo(projection, data));

/** Each read model equals a new fold of the log. */
export const readModels: Invariant = ({ data }) => projections.flatMap((projection) => differences(projection, data));
