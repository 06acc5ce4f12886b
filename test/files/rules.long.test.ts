/** Rules of files without a server: content types, names, and storage. */

import { expect } from 'chai';
import fc from 'fast-check';
import { disposition, spanOf } from '../../api/http/fileAnswer.js';
import { HEAD_BYTES, sniff } from '../../application/files/contentTypes.js';
import { fileName } from '../../application/files/fileNames.js';
import { type File, file, storeFile } from '../../domain/files/file.js';
import type { FileRecord } from '../../domain/files/fileEvents.js';
import { kindOf, MOST_BYTES, mostReceived, receivedKind, sendableTypes } from '../../domain/files/mediaTypes.js';
import type { Log } from '../../engine/ports/log.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { files } from '../../projections/files.js';
import { warnOfOwnFolder } from '../../service/engines/engines.js';
import { SettingsError } from '../../service/settings/environment.js';
import { type FileSettings, readFileSettings, readMediaHosts } from '../../service/settings/fileSettings.js';
import { ARCHIVE, GIF, PROGRAM, SAMPLES, sampleOf } from '../support/samples/fileSamples.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const record: FileRecord = {
  name: 'dress.jpg',
  mimeType: 'image/jpeg',
  size: 48_213,
  sha256: 'a'.repeat(64),
  kind: 'image',
  contentId: 'content-1',
  source: 'upload',
};
const stored = { type: 'FileStored', data: record } as const;

describe('a file', () => {
  it('is stored once and never changes', () => {
    given(file).when(storeFile(record)).then([stored]);
    const again = { ...record, name: 'other.jpg', contentId: 'content-2' };
    given(file, stored).when(storeFile(again)).then([]);
    const state: File = stateAfter(file, [stored, { ...stored, data: again }]);
    expect(state).to.include({ name: 'dress.jpg', contentId: 'content-1', createdAt: specMeta.at });
  });

  it('is shown under its store, as in the API', () => {
    const views = new Map<string, View<unknown> | undefined>();
    const meta = { ...specMeta, workspaceId: SHOP };
    foldEvent(files, views, { ...stored, id: 'event', stream: 'file-f1', meta, revision: 0, position: 0 });
    const { contentId: _, source: __, ...shown } = record;
    expect([...views]).to.deep.equal([
      [
        `${SHOP}/f1`,
        { keys: { workspaceId: SHOP, createdAt: specMeta.at }, body: { id: 'f1', ...shown, createdAt: specMeta.at } },
      ],
    ]);
  });
});

describe('the type of a file', () => {
  for (const { name, mimeType, bytes } of SAMPLES)
    it(`is recognised for ${name} by its bytes`, async () => {
      const isOldOffice = mimeType === 'application/vnd.ms-excel';
      expect(await sniff(bytes, isOldOffice ? { name } : {})).to.equal(mimeType);
      expect(await sniff(bytes, { name: 'x.exe', mimeType: 'text/html' })).to.equal(
        isOldOffice ? 'application/x-cfb' : mimeType,
      );
    });

  it('is taken from the name only if the bytes allow it', async () => {
    const text = { name: 'photo.jpg', mimeType: 'image/jpeg' };
    expect(await sniff(GIF, text)).to.equal('image/gif');
    expect(await sniff(PROGRAM, text)).to.equal('application/x-msdownload');
    expect(await sniff(ARCHIVE, text)).to.equal('application/zip');
    expect(await sniff(ARCHIVE, { name: 'offer.docx' })).to.equal(sampleOf(sendableTypes[14]!).mimeType);
    expect(await sniff(Buffer.alloc(100), text)).to.equal('application/octet-stream');
    expect(await sniff(Buffer.from([0xff, 0xfe, 0, 1, 2]), text)).to.equal('application/octet-stream');
  });

  it('is UTF-8 text also if the sample splits a character', async () => {
    for (const before of [0, 1, 2, 3]) {
      const text = Buffer.from(`${'x'.repeat(HEAD_BYTES - before)}قميص😀`);
      expect(await sniff(text.subarray(0, HEAD_BYTES)), String(before)).to.equal('text/plain');
    }
    expect(await sniff(Buffer.from('<svg onload="alert(1)">'))).to.equal('text/plain');
    expect(await sniff(Buffer.from('<?xml version="1.0"?><a/>'))).to.equal('text/plain');
    expect(await sniff(Buffer.from([...Buffer.from('text'), 0xc3, 0x28, 0x61, 0x61, 0x61]))).to.equal(
      'application/octet-stream',
    );
  });

  it('is not UTF-8 text if its last character is invalid or incomplete', async () => {
    for (const text of ['caf\u00e9', 'la ni\u00f1a', 'x\u00d9\u0082\u00d9'])
      expect(await sniff(Buffer.from(text, 'latin1')), text).to.equal('application/octet-stream');
  });

  it('is detected without exceptions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SAMPLES),
        fc.nat(),
        fc.uint8Array({ maxLength: 40 }),
        async ({ bytes }, place, noise) => {
          const broken = Buffer.from(bytes);
          broken.set(noise.subarray(0, Math.max(0, bytes.length - (place % bytes.length))), place % bytes.length);
          expect(await sniff(broken.subarray(0, HEAD_BYTES))).to.match(/^[\w.+-]+\/[\w.+-]+$/);
        },
      ),
      { numRuns: 200, seed: 11 },
    );
  });

  it('determines how it can be sent, and its maximum size', () => {
    for (const { mimeType, kind } of SAMPLES) expect(kindOf(mimeType), mimeType).to.equal(kind);
    expect([...new Set(sendableTypes.map(kindOf))]).to.have.members(Object.keys(MOST_BYTES));
    expect(kindOf('image/gif')).to.equal(undefined);
    expect(kindOf('toString')).to.equal(undefined);
  });

  it('determines how a customer’s file is stored', () => {
    expect(receivedKind('image/jpeg', 'document')).to.equal('image');
    expect(receivedKind('application/pdf', 'sticker')).to.equal('document');
    expect(receivedKind('video/quicktime', 'video')).to.equal('video');
    expect(receivedKind('application/zip', 'document')).to.equal('document');
    for (const declared of ['image', 'video', 'audio', 'sticker'] as const)
      expect(receivedKind('application/zip', declared), declared).to.equal(undefined);
    expect(mostReceived('image', 'document')).to.equal(MOST_BYTES.document);
    expect(mostReceived('video', 'image')).to.equal(MOST_BYTES.video);
  });
});

describe('the name of a file', () => {
  it('is safe to show and to save, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom(...sendableTypes), (given, type) => {
        const name = fileName(given, type);
        expect([...name].length).to.be.within(1, 240);
        expect(name).to.match(/\.[a-z0-9]+$/i);
        expect(name).to.not.match(/[\p{Cc}\p{Cs}/\\"<>|:*?\u202e]/u);
        expect(name).to.not.match(/^[. ]/);
        expect(disposition(name, type)).to.match(
          /^(?:inline|attachment); filename="[\x20-\x7e]+"(?:; filename\*=UTF-8''[\w.%!~-]+)?$/,
        );
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('shows the type of the file', () => {
    expect(fileName('page.html', 'text/plain')).to.equal('page.html.txt');
    expect(fileName('list.CSV', 'text/plain')).to.equal('list.CSV');
    expect(fileName(undefined, 'audio/ogg')).to.equal('file.ogg');
    expect(fileName('setup.exe', 'application/x-msdownload')).to.equal('setup.exe');
  });
});

describe('a range of a file', () => {
  it('is within the file, or rejected', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.option(fc.nat(300)), fc.integer({ min: 1, max: 200 }), (first, last, size) => {
        const header = `bytes=${first}-${last ?? ''}`;
        if (last !== null && first > last) expect(spanOf(header, size)).to.equal(undefined);
        else if (first >= size) expect(() => spanOf(header, size)).to.throw('bytes');
        else expect(spanOf(header, size)).to.deep.equal({ start: first, end: Math.min(last ?? size, size - 1) });
      }),
    );
  });
});

describe('a local folder of files with several instances', () => {
  it('is reported at the start; a bucket is not', () => {
    const reported: object[] = [];
    const log = { warn: (fields: object) => void reported.push(fields) } as unknown as Log;
    warnOfOwnFolder({ files: { folder: '/srv/files' } }, log);
    warnOfOwnFolder({ files: { bucket: 'suuq-files', prefix: '', region: 'eu-west-1', pathStyle: false } }, log);
    expect(reported).to.deep.equal([{ folder: '/srv/files' }]);
  });
});

describe('the settings of files', () => {
  const read = (env: Record<string, string>): FileSettings => readFileSettings(env, './data');
  const refused = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      expect(error).to.be.instanceOf(SettingsError);
      return (error as Error).message;
    }
    throw new Error('expected a refusal');
  };

  it('name a folder or a bucket', () => {
    expect(read({})).to.deep.equal({ folder: 'data/files' });
    expect(read({ SUUQ_FILES: '/srv/files' })).to.deep.equal({ folder: '/srv/files' });
    expect(read({ SUUQ_FILES: 's3://suuq-files', AWS_REGION: 'eu-west-1' })).to.deep.equal({
      bucket: 'suuq-files',
      prefix: '',
      region: 'eu-west-1',
      pathStyle: false,
    });
    const env = {
      SUUQ_FILES: 's3://suuq-files/a/b/',
      SUUQ_FILES_REGION: 'auto',
      SUUQ_FILES_ENDPOINT: 'https://minio.example.com/',
      SUUQ_FILES_PATH_STYLE: '1',
    };
    expect(read(env)).to.deep.equal({
      bucket: 'suuq-files',
      prefix: 'a/b',
      region: 'auto',
      endpoint: 'https://minio.example.com',
      pathStyle: true,
    });
  });

  it('are rejected without repeating possible passwords', () => {
    for (const text of [
      's3://key:secretpart@suuq-files',
      's3://UPPER/secretpart',
      's3://a',
      'https://x/secretpart',
      's3://b-1/../x',
    ]) {
      const message = refused(() => read({ SUUQ_FILES: text }));
      expect(message, text).to.include('SUUQ_FILES');
      expect(message, text).to.not.include('secretpart');
    }
    expect(refused(() => read({ SUUQ_FILES_ENDPOINT: 'https://minio.example.com' }))).to.include('SUUQ_FILES_ENDPOINT');
    expect(refused(() => read({ SUUQ_FILES: 's3://suuq-files', SUUQ_FILES_REGION: 'no region' }))).to.include('REGION');
  });

  it('accept host names only', () => {
    expect(readMediaHosts({ SUUQ_CHANNEL_MEDIA_HOSTS: 'media.example.com, CDN.example.com' })).to.deep.equal([
      'media.example.com',
      'cdn.example.com',
    ]);
    for (const text of [
      'https://a.example.com',
      '*.example.com',
      'localhost',
      '10.0.0.1',
      'a.example.com:80',
      'a..b.com',
      ',',
    ])
      expect(
        refused(() => readMediaHosts({ SUUQ_CHANNEL_MEDIA_HOSTS: text })),
        text,
      ).to.include('MEDIA_HOSTS');
  });
});
