/** Log and its documents, on either pair of engines. The log can be replaced by an older copy or another log. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { derivedId } from '../../../domain/ids.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore, Position } from '../../../engine/ports/eventStore.js';
import { emulator, testDatabase } from '../../../harness/engines/mongoStage.js';
import { openEventStoreDb } from '../../../infrastructure/eventstoredb/eventStoreDb.js';
import { openMongoReadModels } from '../../../infrastructure/mongodb/mongoReadModels.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { endpointStage } from './endpointStage.js';

export interface LogCopies {
  readonly views: DocumentStore;
  readonly work: DocumentStore;
  /** Closes the open copy and opens the one with this name. */
  open(copy: string): Promise<EventStore>;
  /** Closes the open log and copies `from` to `to`. */
  copy(from: string, to: string): Promise<void>;
  append(log: EventStore, stream: string, label: string, type?: string): Promise<Position>;
  close(): Promise<void>;
}

export interface EnginePair {
  readonly name: string;
  /** Reason why it cannot run here. */
  readonly missing: string | undefined;
  start(): Promise<LogCopies>;
}

const meta = { at: '2026-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'copies' };

interface Opened {
  readonly log: EventStore;
  close(): Promise<void>;
}

async function copiesOf(
  openLog: (folder: string) => Promise<Opened>,
  documents: (folder: string) => Promise<{ views: DocumentStore; work: DocumentStore; close(): Promise<void> }>,
): Promise<LogCopies> {
  const folder = mkdtempSync(join(tmpdir(), 'suuq-copies-'));
  const { views, work, close } = await documents(folder);
  let opened: Opened | undefined;
  const end = async (): Promise<void> => {
    await opened?.close();
    opened = undefined;
  };
  return {
    views,
    work,
    async open(copy) {
      await end();
      opened = await openLog(join(folder, copy));
      return opened.log;
    },
    async copy(from, to) {
      await end();
      cpSync(join(folder, from), join(folder, to), { recursive: true });
    },
    async append(log, stream, label, type = 'ItemsAdded') {
      const data = { items: [{ sku: label, quantity: 1 }] };
      return (await log.append(stream, 'any', [{ id: derivedId('copies', label), type, data, meta }])).position;
    },
    async close() {
      await end();
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

const embedded: EnginePair = {
  name: 'the embedded engines',
  missing: undefined,
  start: () =>
    copiesOf(
      async (folder) => {
        const log = await openEmbeddedEventStore(folder, { writesHere: true });
        return { log, close: () => log.close() };
      },
      async (folder) => {
        const [views, work] = ['views.db', 'work.db'].map((file) => openEmbeddedReadModels(join(folder, file)));
        return {
          views: views!,
          work: work!,
          close: async () => void (await Promise.all([views!.close(), work!.close()])),
        };
      },
    ),
};

const servers: EnginePair = {
  name: 'EventStoreDB’s protocol and the emulator of MongoDB',
  missing: emulator.missing,
  async start() {
    const database = await testDatabase(emulator);
    return copiesOf(
      async (folder) => {
        const stage = await endpointStage({ folder });
        const log = await openEventStoreDb(`esdb://${stage.address}?tls=false`);
        return {
          log,
          async close() {
            await log.close();
            await stage.close();
          },
        };
      },
      async () => {
        const [views, work] = await Promise.all(
          (['views', 'work'] as const).map((prefix) => openMongoReadModels(database.url, { prefix })),
        );
        return {
          views: views!,
          work: work!,
          async close() {
            await Promise.all([views!.close(), work!.close()]);
            await database.close();
          },
        };
      },
    );
  },
};

/** Defines a suite for each pair. A pair that cannot run is pending, with the reason. */
export function onEnginePairs(title: string, tests: (start: () => Promise<LogCopies>) => void): void {
  for (const { name, missing, start } of [embedded, servers]) {
    if (missing === undefined)
      describe(`${title} on ${name}`, function () {
        this.timeout(120_000);
        tests(start);
      });
    else it(`${title} on ${name} (${missing})`);
  }
}
