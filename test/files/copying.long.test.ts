/** Customers' files are copied before the channel forgets them, whatever goes wrong on the way. */
import { expect } from 'chai';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { sha256 } from '../contracts/fileStoreContract.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { ARCHIVE, GIF, JPEG, PROGRAM, sampleOf, WEBP } from '../support/samples/fileSamples.js';
import { connectToStore, NUMBER } from '../support/stages/channelStage.js';
import { type MediaStage, mediaStage, STORE } from '../support/stages/mediaStage.js';

const OTHER = '22222222-2222-4222-8222-222222222222';
const DAY = 24 * 3_600_000;
const padded = (bytes: Buffer, size: number): Buffer => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const passing = (code = '131016') => new ProviderError(code, 'later', true);
const final = (code = '100') => new ProviderError(code, 'no', false);

describe('copying of customers’ files', () => {
  let stage: MediaStage;
  beforeEach(async () => {
    stage = await mediaStage();
  });
  afterEach(() => stage.close());

  /** Waits in real time for what files and logs take, and moves the clock so that what waits is tried again. */
  async function fate(messageId: string, step = 3_600_000, workspaceId = STORE) {
    await until(`the fate of ${messageId}`, async () => {
      if ((await stage.fate(messageId, workspaceId)) !== undefined) return true;
      await settle();
      if (step > 0) await stage.processors.clock.advance(step);
      return false;
    });
    return (await stage.fate(messageId, workspaceId))!;
  }
  const stored = async (messageId: string, step?: number) => {
    const { type, data } = await fate(messageId, step);
    expect(type, JSON.stringify(data)).to.equal('MessageMediaStored');
    return data as { fileId: string; mimeType: string; size: number };
  };
  const failed = async (messageId: string, step?: number) => {
    const { type, data } = await fate(messageId, step);
    expect(type, JSON.stringify(data)).to.equal('MessageMediaFailed');
    return data as { errorCode: string; reason: string };
  };

  it('stores a file of the store, downloaded with the token of the number', async () => {
    stage.delayed.set('photo', { bytes: JPEG });
    await stage.start();
    const messageId = await stage.receive('photo', 'image', { mimeType: 'image/jpeg' });
    const { fileId, ...about } = await stored(messageId, 0);
    expect(about).to.deep.equal({ messageId, mimeType: 'image/jpeg', size: JPEG.length });
    expect(await stage.files.fileOf(STORE, fileId)).to.deep.include({
      name: 'image.jpg',
      kind: 'image',
      sha256: sha256(JPEG),
      source: 'channel',
    });
    expect((await bytesOf((await stage.files.openFile(STORE, fileId))!)).equals(JPEG)).to.equal(true);
    expect(await stage.files.fileOf(OTHER, fileId), 'another store').to.equal(undefined);
    expect(stage.tokens).to.deep.equal(['token-of-the-number']);
  });

  const expected: [string, Buffer, 'image' | 'document' | 'audio' | 'sticker', string, string][] = [
    ['a picture that came as a document', JPEG, 'document', 'image/jpeg', 'image'],
    ['a document that came as a picture', sampleOf('application/pdf').bytes, 'image', 'application/pdf', 'document'],
    ['an archive that came as a document', ARCHIVE, 'document', 'application/zip', 'document'],
    ['a program that came as a document', PROGRAM, 'document', 'application/x-msdownload', 'document'],
    ['a moving picture', GIF, 'image', 'image/gif', 'image'],
    ['a large webp that came as a picture', padded(WEBP, 2_000_000), 'image', 'image/webp', 'image'],
  ];
  for (const [what, bytes, type, mimeType, kind] of expected)
    it(`stores ${what} with its actual type`, async () => {
      stage.delayed.set('file', { bytes });
      await stage.start();
      const { fileId, ...about } = await stored(await stage.receive('file', type), 0);
      expect(about).to.include({ mimeType, size: bytes.length });
      expect(await stage.files.fileOf(STORE, fileId)).to.include({ kind, mimeType });
    });

  for (const [what, bytes, type] of [
    ['a program', PROGRAM, 'image'],
    ['an archive', ARCHIVE, 'audio'],
    ['a moving picture', GIF, 'video'],
  ] as const)
    it(`does not store ${what} sent as ${type}`, async () => {
      stage.delayed.set('file', { bytes });
      await stage.start();
      expect((await failed(await stage.receive('file', type))).errorCode).to.equal('media_type_mismatch');
      expect(stage.calls.filter((call) => call === 'download file')).to.have.length(3);
      expect(await stage.stored()).to.deep.equal([]);
    });

  it('does not store an endless file, and stops reading it', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield JPEG;
      for (; ; given += 65_536) yield Buffer.alloc(65_536);
    }
    stage.delayed.set('file', { bytes: JPEG, content: endless });
    await stage.start();
    expect((await failed(await stage.receive('file', 'image'), 0)).errorCode).to.equal('media_too_large');
    expect(given).to.be.below(7 * 1024 * 1024);
    expect(await stage.stored()).to.deep.equal([]);
  });

  it('does not request a file with a declared size above every limit', async () => {
    stage.delayed.set('file', { bytes: JPEG, place: { size: 101 * 1024 * 1024 } });
    await stage.start();
    expect((await failed(await stage.receive('file', 'document'), 0)).errorCode).to.equal('media_too_large');
    expect(stage.calls).to.deep.equal(['locate file']);
  });

  it('does not store an empty file', async () => {
    stage.delayed.set('file', { bytes: Buffer.alloc(0) });
    await stage.start();
    const { errorCode, reason } = await failed(await stage.receive('file', 'image'), 0);
    expect([errorCode, reason]).to.deep.equal(['media_empty', 'The file is empty.']);
  });

  for (const [what, more, place] of [
    ['the message', { sha256: Buffer.from(sha256(GIF), 'hex').toString('base64') }, {}],
    ['the place', {}, { sha256: sha256(GIF) }],
  ] as const)
    it(`does not store bytes that differ from the ${what}`, async () => {
      stage.delayed.set('file', { bytes: JPEG, place });
      await stage.start();
      expect((await failed(await stage.receive('file', 'image', more))).errorCode).to.equal('media_damaged');
      expect(stage.calls.filter((call) => call === 'download file')).to.have.length(3);
      expect(await stage.stored()).to.deep.equal([]);
    });

  it('accepts a base64 digest, and retries truncated bytes', async () => {
    const digest = Buffer.from(sha256(JPEG), 'hex').toString('base64');
    let turn = 0;
    async function* cut(): AsyncGenerator<Buffer> {
      turn += 1;
      yield turn === 1 ? JPEG.subarray(0, 100) : JPEG;
    }
    stage.delayed.set('file', { bytes: JPEG, content: cut, place: { sha256: digest } });
    await stage.start();
    await stored(await stage.receive('file', 'image', { sha256: digest }));
    expect(turn).to.equal(2);
  });

  it('requests a new URL for each attempt', async () => {
    const download = [new ProviderError('media_place_expired', 'gone', true), passing('timeout')];
    stage.delayed.set('file', { bytes: JPEG, locate: [passing()], download });
    await stage.start();
    await stored(await stage.receive('file', 'image'));
    expect(stage.calls).to.deep.equal([
      'locate file',
      ...['locate file', 'download file'],
      ...['locate file', 'download file'],
      ...['locate file', 'download file'],
    ]);
  });

  it('gives up files that the channel no longer has, but not those rejected because of the token', async () => {
    stage.delayed.set('gone', { bytes: JPEG, locate: [final()] });
    stage.delayed.set('token', { bytes: JPEG, locate: [final('190'), final('200'), final('10')] });
    await stage.start();
    expect((await failed(await stage.receive('gone', 'image'), 0)).errorCode).to.equal('media_unavailable');
    await stored(await stage.receive('token', 'image'));
  });

  it('fails for a number that its store has not connected, but not because of a late read model', async () => {
    stage.isNumberShown = false;
    stage.delayed.set('early', { bytes: JPEG });
    stage.delayed.set('photo', { bytes: JPEG });
    await stage.start();
    expect((await failed(await stage.receive('early', 'image'), 0)).errorCode).to.equal('number_not_connected');
    await connectToStore(stage.processors.commands, NUMBER);
    await stored(await stage.receive('photo', 'image'), 0);
  });

  it('retries for seven days, ever more rarely, and then reports the failure', async () => {
    stage.delayed.set('file', { bytes: JPEG, locate: Array(1_000).fill(passing()) });
    await stage.start();
    const startedAt = stage.processors.clock.now();
    const { errorCode } = await failed(await stage.receive('file', 'image'), 3_600_000);
    expect(errorCode).to.equal('media_expired');
    expect(stage.processors.clock.now() - startedAt).to.be.at.least(7 * DAY);
    expect(stage.calls.length).to.be.within(20, 190);
  });

  it('is tried once more after seven days, as after a long outage', async () => {
    stage.delayed.set('late', { bytes: JPEG });
    const messageId = await stage.receive('late', 'image');
    await stage.processors.clock.advance(8 * DAY);
    await stage.start();
    await stored(messageId);
  });

  it('counts no attempt while a store is unavailable: the file arrives a minute after it recovers', async () => {
    const { clock } = stage.processors;
    let refused = 0;
    let takenAt = 0;
    let isDown = true;
    stage.around = (files) => ({
      fileOf: files.fileOf,
      async take(...parts) {
        if (!isDown) {
          takenAt = clock.now();
          return files.take(...parts);
        }
        refused += 1;
        throw new StoreUnavailable('no answer in time');
      },
    });
    stage.delayed.set('file', { bytes: JPEG });
    await stage.start();
    const messageId = await stage.receive('file', 'image');
    await until('it is retried repeatedly', async () => {
      await settle();
      if (refused < 14) await clock.advance(60_000);
      return refused >= 14;
    });
    isDown = false;
    const again = clock.now();
    await stored(messageId, 5_000);
    expect(takenAt - again).to.be.at.most(75_000);
  });

  it('retries when the file store fails', async () => {
    let failures = 2;
    stage.around = (files) => ({
      fileOf: files.fileOf,
      take: (...parts) => (failures-- > 0 ? Promise.reject(new Error('the disk is full')) : files.take(...parts)),
    });
    stage.delayed.set('file', { bytes: JPEG });
    await stage.start();
    await stored(await stage.receive('file', 'image'));
  });

  describe('that is interrupted', () => {
    for (const [when, hold] of [
      ['before the bytes are stored', 0],
      ['between the bytes and the file', 1],
      ['between the file and the conversation', 2],
    ] as const)
      it(`${when} is repeated, with one result`, async () => {
        stage.delayed.set('file', { bytes: JPEG });
        const dead = new Promise<never>(() => undefined);
        let reached = false;
        stage.around = (files) => {
          let polls = 0;
          return {
            async take(...parts) {
              if (hold === 0) {
                reached = true;
                return dead;
              }
              const taken = await files.take(...parts);
              if (hold !== 1) return taken;
              reached = true;
              return dead;
            },
            async fileOf(...parts) {
              const found = await files.fileOf(...parts);
              polls += 1;
              if (hold !== 2 || found === undefined || polls === 0) return found;
              reached = true;
              return dead;
            },
          };
        };
        const first = await stage.start();
        const messageId = await stage.receive('file', 'image');
        await until('it is stored', () => reached);
        first.crash();
        stage.around = (files) => files;
        await stage.start();
        const { fileId } = await stored(messageId);
        const reported = (await stage.events()).filter(({ type }) => type === 'MessageMediaStored');
        expect(reported).to.have.length(1);
        expect(await stage.processors.eventStore.readStream(`file-${fileId}`)).to.have.length(1);
        expect(await stage.stored()).to.have.length(1);
        if (hold === 2) expect(stage.calls.filter((call) => call === 'download file')).to.have.length(1);
      });
  });

  it('waits for space in the plan without downloading, and continues when there is some', async () => {
    stage.delayed.set('first', { bytes: JPEG });
    stage.delayed.set('second', { bytes: WEBP });
    stage.storageLimit = JPEG.length;
    await stage.start();
    await stored(await stage.receive('first', 'image'), 0);
    const messageId = await stage.receive('second', 'image');
    await until('it was tried three times', async () => {
      await stage.processors.clock.advance(60_000);
      return stage.processors.warnings.length >= 3;
    });
    expect(stage.calls.filter((call) => call === 'download second')).to.deep.equal([]);
    expect(await stage.stored()).to.have.length(1);
    stage.storageLimit = JPEG.length + WEBP.length;
    await stored(messageId);
    expect(await stage.stored()).to.have.length(2);
  });

  it("stores nothing of a file that exceeds the plan's space", async () => {
    stage.delayed.set('file', { bytes: JPEG });
    stage.storageLimit = JPEG.length - 1;
    await stage.start();
    const messageId = await stage.receive('file', 'image');
    expect((await failed(messageId)).errorCode).to.equal('media_expired');
    expect(await stage.stored()).to.deep.equal([]);
  });

  it('stores the same photo once, however often it is received', async () => {
    await stage.start();
    const ids: string[] = [];
    for (const one of ['a', 'b', 'c']) {
      stage.delayed.set(one, { bytes: JPEG });
      ids.push((await stored(await stage.receive(one, 'image'), 0)).fileId);
    }
    expect(new Set(ids).size).to.equal(3);
    await until('one is there', async () => (await stage.stored()).length === 1);
    for (const fileId of ids)
      expect((await bytesOf((await stage.files.openFile(STORE, fileId))!)).equals(JPEG)).to.equal(true);
  });

  it("does not delay other stores when one store's downloads hang", async () => {
    async function* hanging(): AsyncGenerator<Buffer> {
      yield JPEG;
      await new Promise(() => undefined);
    }
    await stage.start();
    for (let index = 0; index < 60; index += 1) {
      stage.delayed.set(`slow-${index}`, { bytes: JPEG, content: hanging });
      await stage.receive(`slow-${index}`, 'image');
    }
    await until('the maximum hangs', () => stage.calls.filter((call) => /^download slow/.test(call)).length >= 8);
    stage.delayed.set('quick', { bytes: JPEG });
    const messageId = await stage.receive('quick', 'image', {}, OTHER);
    expect((await fate(messageId, 0, OTHER)).type).to.equal('MessageMediaStored');
    expect(stage.calls.filter((call) => /^download slow/.test(call)).length).to.be.below(16);
  });

  it('ignores deleted messages', async () => {
    stage.delayed.set('file', { bytes: JPEG, locate: Array(3).fill(passing()) });
    await stage.start();
    const messageId = await stage.receive('file', 'image');
    await until('it was tried', () => stage.calls.length === 1);
    await stage.takeBack(messageId);
    await until('nothing is pending', async () => {
      await stage.processors.clock.advance(60_000);
      return (await stage.processors.pending('media')) === 0;
    });
    expect(await stage.fate(messageId)).to.equal(undefined);
    expect(await stage.stored()).to.deep.equal([]);
  });
});
