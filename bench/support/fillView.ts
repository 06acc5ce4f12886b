import { join } from 'node:path';
import type { NewDocument } from '../../engine/ports/documents.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { readDemo, startService } from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';

const BATCH = 5_000;

/**
 * Prepares a service's folder whose demo store has `total` documents in a view, as its projection would have written them. `documentOf`:
 * the n-th document of the workspace, from 1. Indexes are built after the documents, as in a rebuild; meanwhile the view's name is an alias
 * of another collection.
 */
export async function fillView(
  folder: string,
  projection: AnyProjection,
  total: number,
  documentOf: (workspaceId: string, n: number) => NewDocument,
): Promise<void> {
  const service = await startService(folder);
  await service.stop();
  const { workspaceId } = readDemo(folder).store;
  const views = openEmbeddedReadModels(join(folder, 'views.db'));
  const name = await views.resolve(projection.name);
  const definition = { name, keys: projection.keys, indexes: projection.indexes };
  await views.open({ ...definition, name: 'meanwhile' });
  await views.setAlias(projection.name, 'meanwhile');
  await views.drop(name);
  await views.open(definition, { indexes: 'later' });
  for (let first = 1; first <= total; first += BATCH) {
    const put = Array.from({ length: Math.min(BATCH, total + 1 - first) }, (_, i) =>
      documentOf(workspaceId, first + i),
    );
    await views.write({ [name]: { put } });
  }
  await views.buildIndexes(name);
  await views.setAlias(projection.name, name);
  await views.drop('meanwhile');
  await views.close();
}
