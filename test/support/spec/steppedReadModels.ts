/**
 * In-memory store without transactions. Documents are written one by one and the checkpoint last, as in MongoDB's
 * engine. Each handle is one process, which may end or pause before any step. The fence is checked when a write begins
 * and at its checkpoint, so a process that pauses within a write continues to write documents.
 */

import {
  type Checkpoint,
  type DocumentStore,
  type Fence,
  Fenced,
  type NewDocument,
  type StoredDocument,
  type WriteBatch,
} from '../../../engine/ports/documents.js';
import { BEFORE_ALL, type EventMark, type Position } from '../../../engine/ports/eventStore.js';

type StoredRow = { readonly revision: number; readonly document?: NewDocument };

export interface SteppedStore {
  readonly collections: Map<string, Map<string, StoredRow>>;
  readonly checkpoints: Map<string, Position>;
  readonly marks: Map<string, EventMark>;
  readonly fences: Map<string, number>;
  readonly aliases: Map<string, string>;
}

export const steppedStore = (): SteppedStore => ({
  collections: new Map(),
  checkpoints: new Map(),
  marks: new Map(),
  fences: new Map(),
  aliases: new Map(),
});

const stored = <B>({ revision, document }: StoredRow, id: string): StoredDocument<B> => ({
  id,
  keys: document?.keys ?? {},
  revision,
  body: document?.body as B,
  json: JSON.stringify(document?.body),
  ...(document === undefined && { removed: true }),
});

/** `step` runs before each single change and may wait, or never resolve. */
export function steppedReadModels(store: SteppedStore, step: (what: string) => Promise<void>): DocumentStore {
  const resolve = (name: string): string => store.aliases.get(name) ?? name;
  const of = (name: string): Map<string, StoredRow> => {
    const collection = store.collections.get(resolve(name));
    if (collection === undefined) throw new Error(`there is no collection '${name}'`);
    return collection;
  };
  const checkFence = ({ name, fence }: Fence): void => {
    const isCurrent = store.fences.get(name) ?? 0;
    if (fence < isCurrent) throw new Fenced(`'${name}' has a newer owner (${isCurrent}) than ${fence}`);
  };
  const retain = async (name: string, id: string, retained: StoredRow): Promise<void> => {
    await step(`${retained.document === undefined ? 'remove' : 'put'} ${name} ${id} ${retained.revision}`);
    const collection = of(name);
    const isCurrent = collection.get(id)?.revision ?? Number.NEGATIVE_INFINITY;
    const isNewer = retained.document === undefined ? isCurrent <= retained.revision : isCurrent < retained.revision;
    if (isNewer) collection.set(id, retained);
  };
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const fencesOf = (given: readonly (Checkpoint | Fence)[]): Fence[] =>
    given.flatMap(({ name, fence }) => (fence === undefined ? [] : [{ name, fence }]));

  async function move(one: Checkpoint): Promise<void> {
    await step(`checkpoint ${one.name} ${one.position}`);
    for (const fence of fencesOf([one])) checkFence(fence);
    store.checkpoints.set(one.name, one.position);
    if (one.mark === undefined) store.marks.delete(one.name);
    else store.marks.set(one.name, one.mark);
  }

  async function write(
    batches: Readonly<Record<string, WriteBatch>>,
    ...checkpoints: readonly (Checkpoint | Fence)[]
  ): Promise<void> {
    await step('write');
    for (const fence of fencesOf(checkpoints)) checkFence(fence);
    for (const [name, { put = [], remove = [] }] of Object.entries(batches)) {
      for (const document of put) await retain(name, document.id, { revision: document.revision, document });
      for (const { id, revision } of remove) await retain(name, id, { revision });
    }
    for (const one of checkpoints) if ('position' in one) await move(one);
  }

  return {
    async open({ name }) {
      await step(`open ${name}`);
      if (!store.collections.has(name)) store.collections.set(name, new Map());
    },
    buildIndexes: async () => undefined,
    async drop(name) {
      await step(`drop ${name}`);
      store.collections.delete(name);
    },
    async list() {
      await step('list');
      return [...store.collections.keys()];
    },
    async get<B>(name: string, id: string) {
      const retained = of(name).get(id);
      return retained?.document === undefined ? undefined : stored<B>(retained, id);
    },
    async getMany<B>(name: string, ids: readonly string[], { removed = false }: { readonly removed?: boolean } = {}) {
      await step('read');
      const collection = of(name);
      const found = new Map<string, StoredDocument<B>>();
      for (const id of ids) {
        const retained = collection.get(id);
        if (retained !== undefined && (removed || retained.document !== undefined))
          found.set(id, stored<B>(retained, id));
      }
      return found;
    },
    async find<B>(name: string) {
      const all = [...of(name)].filter(([, { document }]) => document !== undefined);
      return all.map(([id, retained]) => stored<B>(retained, id)).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    count: unused,
    write,
    async checkpoint(name) {
      return store.checkpoints.get(name) ?? BEFORE_ALL;
    },
    async checkpoints(names) {
      return new Map(names.map((name) => [name, store.checkpoints.get(name) ?? BEFORE_ALL]));
    },
    async marks(names) {
      return new Map(names.flatMap((name) => (store.marks.has(name) ? [[name, store.marks.get(name)!]] : [])));
    },
    async claim(fence) {
      await step(`claim ${fence.name} ${fence.fence}`);
      checkFence(fence);
      store.fences.set(fence.name, fence.fence);
      return store.checkpoints.get(fence.name) ?? BEFORE_ALL;
    },
    async dropCheckpoint(name) {
      await step(`drop checkpoint ${name}`);
      store.checkpoints.delete(name);
      store.marks.delete(name);
    },
    insert: unused,
    replace: unused,
    removeWhere: unused,
    async setAlias(name, collection) {
      await step(`alias ${name} ${collection}`);
      store.aliases.set(name, collection);
    },
    async dropAlias(name, collection) {
      await step(`drop alias ${name}`);
      if (store.aliases.get(name) === collection) store.aliases.delete(name);
    },
    async resolve(name) {
      return resolve(name);
    },
    close: async () => undefined,
  };
}
