/** Files and stored bytes as the views show them. */
import type { FileEvent } from '../../domain/files/fileEvents.js';
import type { StorageEvent } from '../../domain/files/storageEvents.js';
import { files } from '../../projections/files.js';
import { ALL_STORES, storage } from '../../projections/storage.js';
import { minute } from '../support/spec/givenEvents.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';

describe('the view of files', () => {
  const spec = projectionSpec(files, { stream: 'file-f1', meta: { workspaceId: SHOP } });
  const shown = { name: 'dress.jpg', mimeType: 'image/jpeg', size: 100, sha256: 'd1', kind: 'image' } as const;
  const stored: FileEvent = {
    type: 'FileStored',
    data: { ...shown, contentId: 'c1', source: 'upload', temporary: true },
  };

  it('contains a file until it is removed', async () => {
    await spec.given(stored).then({ [`${SHOP}/f1`]: { ...shown, id: 'f1', createdAt: minute(0) } });
    await spec.given(stored, { type: 'FileRemoved', data: { reason: 'unused' } }).then({});
  });
});

describe('the view of storage', () => {
  const spec = projectionSpec(storage);
  const stored = (workspaceId: string, by: string, added: number) => ({
    stream: `storage-${workspaceId}`,
    type: 'ContentKept' as const,
    data: { by, kind: 'file' as const, contentId: 'c1', size: 100, sha256: 'd1', added },
  });
  const released = (workspaceId: string, by: string, freed: number): StorageEvent & { stream: string } => ({
    stream: `storage-${workspaceId}`,
    type: 'ContentReleased',
    data: { by, contentId: 'c1', freed },
  });

  it('counts the bytes of a store, the same bytes once, and the total', async () => {
    await spec.given(stored(SHOP, 'f1', 100), stored(SHOP, 'f2', 0), stored(OTHER, 'f3', 100)).then({
      [SHOP]: { workspaceId: SHOP, bytes: 100, items: 2 },
      [OTHER]: { workspaceId: OTHER, bytes: 100, items: 1 },
      [ALL_STORES]: { bytes: 200, items: 3 },
    });
    await spec
      .given(stored(SHOP, 'f1', 100), stored(SHOP, 'f2', 0), released(SHOP, 'f1', 0), released(SHOP, 'f2', 100))
      .then({
        [SHOP]: { workspaceId: SHOP, bytes: 0, items: 0 },
        [ALL_STORES]: { bytes: 0, items: 0 },
      });
  });
});
