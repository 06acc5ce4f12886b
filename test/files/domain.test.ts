/** Files and the bytes of a store, as decisions. */
import { expect } from 'chai';
import { useFiles } from '../../application/files/uses.js';
import { DomainError } from '../../domain/decider.js';
import { deleteFile, file, removeUnused, storeFile, useFile } from '../../domain/files/file.js';
import type { FileEvent } from '../../domain/files/fileEvents.js';
import {
  adoptContent,
  contentOf,
  isStored,
  recordContent,
  releaseContent,
  storage,
  usedBytes,
} from '../../domain/files/storage.js';
import type { StorageEvent, StoredContent } from '../../domain/files/storageEvents.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';
const record = {
  name: 'dress.jpg',
  mimeType: 'image/jpeg',
  size: 100,
  sha256: 'd1',
  kind: 'image',
  contentId: 'c1',
  source: 'upload',
} as const;
const stored: FileEvent = { type: 'FileStored', data: { ...record, temporary: true } };
const used: FileEvent = { type: 'FileUsed', data: { use: 'message' } };
const gone: FileEvent = { type: 'FileRemoved', data: { reason: 'unused' } };

/** In the shop. */
const fileWith = (...events: FileEvent[]) => {
  const meta = { ...specMeta, workspaceId: SHOP };
  return events.reduce((state, event) => file.evolve(state, { ...event, meta }), file.initial());
};

describe('a file', () => {
  it('is missing only by a rule, not during concurrent changes', async () => {
    const codeAfter = (code: string): Promise<string> => {
      const commands = { query: () => Promise.reject(), decide: () => Promise.reject(new DomainError(code, code)) };
      return useFiles({ commands, workspaceId: SHOP }, ['f1'], 'message', 'body.media.fileId').then(
        () => 'used',
        (error: DomainError) => error.code,
      );
    };
    expect(await codeAfter('not_found')).to.equal('validation_failed');
    expect(await codeAfter('concurrent_change')).to.equal('concurrent_change');
  });

  it('from an upload stays once something uses it', () => {
    expect(useFile(SHOP, 'message')(fileWith(stored))).to.deep.equal([used]);
    expect(useFile(SHOP, 'template')(fileWith(stored, used))).to.deep.equal([]);
    expect(removeUnused(fileWith(stored))).to.deep.equal([gone]);
    expect(removeUnused(fileWith(stored, used))).to.deep.equal([]);
    expect(removeUnused(fileWith(stored, gone))).to.deep.equal([]);
  });

  it('of a customer, or older than the removal of uploads, stays without an event', () => {
    const retained: FileEvent = { type: 'FileStored', data: { ...record, source: 'channel' } };
    expect(removeUnused(fileWith(retained))).to.deep.equal([]);
    expect(useFile(SHOP, 'message')(fileWith(retained))).to.deep.equal([]);
  });

  it('is not used, deleted or stored again after its removal', () => {
    const after = fileWith(stored, gone);
    expect(() => useFile(SHOP, 'message')(after)).to.throw('no such file');
    expect(() => deleteFile(SHOP)(after)).to.throw('no such file');
    expect(storeFile(record)(after)).to.deep.equal([]);
  });

  it('is deleted only by its own store', () => {
    expect(deleteFile(SHOP)(fileWith(stored, used))).to.deep.equal([
      { type: 'FileRemoved', data: { reason: 'asked' } },
    ]);
    expect(() => deleteFile(OTHER)(fileWith(stored))).to.throw('no such file');
    expect(() => useFile(OTHER, 'message')(fileWith(stored))).to.throw('no such file');
  });
});

const content = (by: string, contentId: string, sha256 = 'd1', size = 100): StoredContent => ({
  by,
  kind: 'file',
  contentId,
  size,
  sha256,
});
const saved = (one: StoredContent, added = one.size): StorageEvent => ({
  type: 'ContentKept',
  data: { ...one, added },
});
const released = (by: string, contentId: string, freed: number): StorageEvent => ({
  type: 'ContentReleased',
  data: { by, contentId, freed },
});

describe('the bytes of a store', () => {
  const first = saved(content('f1', 'c1'));
  const same = saved(content('f2', 'c1'), 0);

  it('are stored once, whatever their names', () => {
    given(storage)
      .when(recordContent(content('f1', 'c1'), 100))
      .then([first]);
    given(storage, first)
      .when(recordContent(content('f2', 'c2'), 100))
      .then([same]);
    given(storage, first)
      .when(recordContent(content('f1', 'c3'), 100))
      .then([]);
    expect(usedBytes(stateAfter(storage, [first, same]))).to.equal(100);
    expect(contentOf('f2')(stateAfter(storage, [first, same]))).to.equal('c1');
  });

  it('stay while a file needs them', () => {
    given(storage, first, same)
      .when(releaseContent('f1'))
      .then([released('f1', 'c1', 0)]);
    given(storage, first, same, released('f1', 'c1', 0))
      .when(releaseContent('f2'))
      .then([released('f2', 'c1', 100)]);
    const after = [first, same, released('f1', 'c1', 0), released('f2', 'c1', 100)];
    given(storage, ...after)
      .when(releaseContent('f2'))
      .then([]);
    expect([usedBytes(stateAfter(storage, after)), isStored('c1')(stateAfter(storage, after))]).to.deep.equal([
      0,
      false,
    ]);
  });

  it('are not shared with bytes that are being removed', () => {
    const again = content('f3', 'c3');
    given(storage, first, released('f1', 'c1', 100))
      .when(recordContent(again, undefined))
      .then([saved(again)]);
  });

  it('are limited by the plan, to the byte', () => {
    const second = content('f2', 'c2', 'd2', 50);
    given(storage, first)
      .when(recordContent(second, 150))
      .then([saved(second)]);
    const { message } = given(storage, first).when(recordContent(second, 149)).thenRefused('plan_limit_reached');
    expect(message).to.include('149 bytes').and.include('has 100');
    given(storage).when(recordContent(second, 0)).thenRefused('plan_limit_reached');
  });

  it('that existed before are counted in place, twice if stored twice, and without a limit', () => {
    const twin = content('f2', 'c2');
    given(storage, first)
      .when(adoptContent(twin))
      .then([saved(twin)]);
    given(storage, first, saved(twin)).when(adoptContent(twin)).then([]);
    const after = stateAfter(storage, [first, saved(twin), released('f1', 'c1', 100)]);
    expect([usedBytes(after), contentOf('f2')(after)]).to.deep.equal([100, 'c2']);
  });

  it('are the same after a snapshot', () => {
    const sound: StoredContent = { by: 'u1', kind: 'recording', recordingId: 'r1', contentId: 'u1', size: 7 };
    const state = stateAfter(storage, [
      first,
      same,
      saved(sound),
      saved(content('f4', 'c4', 'd4')),
      released('f4', 'c4', 100),
    ]);
    const reading = storage.snapshot!.read();
    for (const chunk of storage.snapshot!.write(state)) reading.add(JSON.parse(JSON.stringify(chunk)));
    expect(reading.done()).to.deep.equal(state);
  });
});
