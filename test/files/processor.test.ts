/** Removal of unused uploads and unneeded bytes. */
import { filesProcessor } from '../../application/files/filesProcessor.js';
import { minute } from '../support/spec/givenEvents.js';
import { processorSpec } from '../support/spec/processorSpec.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const record = {
  name: 'dress.jpg',
  mimeType: 'image/jpeg',
  size: 100,
  sha256: 'd1',
  kind: 'image',
  contentId: 'c1',
  source: 'upload',
} as const;

const inFile = { stream: 'file-f1' };
const inStorage = { stream: `storage-${SHOP}` };
const inRecordings = { stream: `recordings-${SHOP}` };
const stored = { ...inFile, type: 'FileStored', data: { ...record, temporary: true } };
const of = { ...inFile, type: 'FileStored', data: record };
const used = { ...inFile, type: 'FileUsed', data: { use: 'message' } };
const removed = { ...inFile, type: 'FileRemoved', data: { reason: 'unused' } };
const content = { by: 'f1', kind: 'file', contentId: 'c1', size: 100, sha256: 'd1' };
const retained = { ...inStorage, type: 'ContentKept', data: { ...content, added: 100 } };
const shared = { ...inStorage, type: 'ContentKept', data: { ...content, by: 'f2', added: 0 } };
const released = { ...inStorage, type: 'ContentReleased', data: { by: 'f1', contentId: 'c1', freed: 100 } };
const terms = { recordingId: 'r1', name: 'Welcome', kind: 'greeting' };
const added = { ...inRecordings, type: 'RecordingAdded', data: terms };
const uploaded = { ...inRecordings, type: 'RecordingUploaded', data: { recordingId: 'r1', uploadId: 'u1', size: 70 } };
const failed = {
  ...inRecordings,
  type: 'RecordingFailed',
  data: { recordingId: 'r1', uploadId: 'u1', code: 'unreadable', reason: 'no sound' },
};
const sound = { by: 'u1', kind: 'recording', recordingId: 'r1', contentId: 'u1', size: 70 };

describe('unused uploads and unneeded bytes', () => {
  const { given } = processorSpec<{ remove(name: string): Promise<void> }>((store) => filesProcessor({ store }), {
    meta: { workspaceId: SHOP },
  });
  const later = (ms: number) => Date.parse(minute(0)) + ms;

  it('are checked a day after the upload; other files are only counted', async () => {
    await given(stored).then([
      { kind: 'adopt', lane: `${SHOP}/f1` },
      { kind: 'expire', lane: `${SHOP}/f1`, dueAt: later(DAY) },
    ]);
    await given(of).then([{ kind: 'adopt' }]);
  });

  it('lead to removal of the upload, unless it is used by then', async () => {
    await given(stored)
      .when('expire')
      .then({ events: [{ stream: 'file-f1', type: 'FileRemoved', data: { reason: 'unused' } }] });
    await given(stored, used).when('expire').then({});
  });

  it('stay while the clock is not confirmed', async () => {
    const doubted = { ms: 800 * DAY, unconfirmedMs: HOUR };
    const outcome = { again: { at: Date.parse(minute(1)) + 800 * DAY + HOUR } };
    for (const [event, kind] of [
      [stored, 'expire'],
      [retained, 'settle'],
    ] as const)
      await given(event).when(kind, {}, doubted).then({ events: [], outcome });
  });

  it('count an existing file once', async () => {
    const event = { stream: `storage-${SHOP}`, type: 'ContentKept', data: { ...content, added: 100 } };
    await given(of)
      .when('adopt')
      .then({ events: [event] });
    await given(retained, of).when('adopt').then({});
    await given(stored, removed).when('adopt').then({});
  });

  it('release the bytes of a deleted file', async () => {
    const event = (freed: number) => ({
      stream: `storage-${SHOP}`,
      type: 'ContentReleased',
      data: { by: 'f1', freed },
    });
    await given(retained, stored, removed)
      .when('release')
      .then({ events: [event(100)] });
    await given(retained, shared, stored, removed)
      .when('release')
      .then({ events: [event(0)] });
    await given(retained, stored, removed, released).when('release').then({});
  });

  it('are removed some minutes after the last file that needed the bytes', async () => {
    await given(released).then([{ kind: 'drop', dueAt: later(5 * 60_000) }]);
    await given({ ...released, data: { ...released.data, freed: 0 } }).then([]);
    const remove = async () => undefined;
    await given(retained, released)
      .when('drop', { remove })
      .then({ effects: [['remove', `${SHOP}/c1`]] });
    await given(retained, shared, released).when('drop', { remove }).then({ effects: [] });
  });

  it('release counted bytes that were never stored, once no request can still use them', async () => {
    await given(retained).then([{ kind: 'settle', dueAt: later(DAY + HOUR) }]);
    const event = { stream: `storage-${SHOP}`, type: 'ContentReleased', data: { by: 'f1', freed: 100 } };
    await given(retained)
      .when('settle')
      .then({ events: [event] });
    await given(retained, stored).when('settle').then({});
  });

  it('count recordings while calls may play them', async () => {
    const event = { stream: `storage-${SHOP}`, type: 'ContentKept', data: { ...sound, added: 70 } };
    await given(added, uploaded).then([{ kind: 'adopt', lane: `${SHOP}/u1` }]);
    await given(added, uploaded)
      .when('adopt')
      .then({ events: [event] });
    await given(added, uploaded, failed).when('adopt').then({});
    const counted = { ...inStorage, type: 'ContentKept', data: { ...sound, added: 70 } };
    await given(added, counted, uploaded).when('settle').then({});
    const freed = { stream: `storage-${SHOP}`, type: 'ContentReleased', data: { by: 'u1', freed: 70 } };
    await given(added, counted, uploaded, failed)
      .when('settle')
      .then({ events: [freed] });
  });
});
