/** Uploading and reading files over HTTP. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { uploadFile } from '../../api/operations/files/uploadFile.js';
import { MOST_BYTES } from '../../domain/files/mediaTypes.js';
import { type Checked, isProblem, locations } from '../support/conformance/answers.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { type ConformanceStage, conformanceStage, type Store } from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';
import { ARCHIVE, GIF, JPEG, PROGRAM, SAMPLES, WEBP } from '../support/samples/fileSamples.js';

const padded = (bytes: Buffer, size: number): Buffer => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);

describe('files over HTTP', () => {
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const upload = (form: FormData, store?: Store, headers: Record<string, string> = {}): Promise<Checked> =>
    stage.call(uploadFile, { body: form, headers }, store);
  const raw = (text: string, type = 'multipart/form-data; boundary=b'): Promise<Checked> =>
    stage.call(uploadFile, { raw: text, headers: { 'content-type': type } });
  const urlOf = (id: string, { workspaceId } = stage.main.store): string =>
    `${stage.baseUrl}/api/v1/workspaces/${workspaceId}/files/${id}`;
  const read = (id: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(urlOf(id), { method, headers: { authorization: `Bearer ${stage.main.store.key}`, ...headers } });
  /** Returns every file of the file store, complete or not. */
  async function stored(): Promise<string[]> {
    const found = await readdir(join(stage.folder, 'files'), { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map(({ name }) => name);
  }
  /** Expects the attempt to leave no file behind. */
  async function retainsNothing(attempt: () => Promise<unknown>): Promise<void> {
    const before = await stored();
    await attempt();
    await until('nothing of it is left', async () => (await stored()).length === before.length);
  }

  describe('an upload', () => {
    for (const { name, mimeType, kind, bytes } of SAMPLES)
      it(`of ${mimeType} is recognised by its bytes and can be read back`, async () => {
        const { status, body } = await upload(formWith(bytes, name, 'application/octet-stream'));
        expect(status).to.equal(201);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        expect(body).to.deep.include({ name, mimeType, kind, size: bytes.length, sha256 });
        const answer = await read(body.id);
        expect(answer.headers.get('content-type')).to.equal(
          mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
        );
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
      });

    it('ignores the type claimed by its sender', async () => {
      const { body } = await upload(formWith(PIXEL, 'invoice.pdf', 'application/pdf'));
      expect(body).to.deep.include({ name: 'invoice.pdf.png', mimeType: 'image/png', kind: 'image' });
      const page = await upload(formWith(Buffer.from('<script>alert(1)</script>'), 'page.html', 'text/html'));
      expect(page.body).to.deep.include({ name: 'page.html.txt', mimeType: 'text/plain', kind: 'document' });
    });

    it('may be audio in a container that is also used for video', async () => {
      const film = SAMPLES.find(({ name }) => name === 'film.mp4')!;
      const { body } = await upload(formWith(film.bytes, 'voice.m4a', 'audio/mp4'));
      expect(body).to.deep.include({ mimeType: 'audio/mp4', kind: 'audio' });
    });

    for (const [name, bytes] of Object.entries({ 'a.gif': GIF, 'setup.exe': PROGRAM, 'all.zip': ARCHIVE }))
      it(`of ${name} is rejected, whatever its name`, () =>
        retainsNothing(async () => {
          isProblem(await upload(formWith(bytes, name)), 415, 'file_type_not_supported');
          isProblem(await upload(formWith(bytes, 'photo.jpg', 'image/jpeg')), 415, 'file_type_not_supported');
        }));

    for (const [kind, bytes] of Object.entries({ image: JPEG, sticker: WEBP }) as ['image' | 'sticker', Buffer][])
      it(`of a ${kind} has at most ${MOST_BYTES[kind]} bytes`, async () => {
        const most = MOST_BYTES[kind];
        expect((await upload(formWith(padded(bytes, most)))).status).to.equal(201);
        await retainsNothing(async () =>
          isProblem(await upload(formWith(padded(bytes, most + 1))), 413, 'file_too_large'),
        );
      });

    it('whose declared size exceeds every limit is rejected before it arrives', async () => {
      const { hostname, port } = new URL(stage.baseUrl);
      const { workspaceId, key } = stage.main.store;
      const answer = await new Promise<number>((resolve, reject) => {
        const requested = send({
          hostname,
          port,
          method: 'POST',
          path: `/api/v1/workspaces/${workspaceId}/files`,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'multipart/form-data; boundary=b',
            'content-length': 200 * 1024 * 1024,
          },
        });
        requested.on('response', (response) => {
          resolve(response.statusCode!);
          requested.destroy();
        });
        requested.on('error', reject);
        requested.flushHeaders();
      });
      expect(answer).to.equal(413);
    });

    it('that is too large is read to the end, so that a client that sends everything first gets its response', async () => {
      const { hostname, port } = new URL(stage.baseUrl);
      const { workspaceId, key } = stage.main.store;
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="large.jpg"\r\n\r\n';
      const body = Buffer.concat([Buffer.from(head), padded(JPEG, MOST_BYTES.image * 6), Buffer.from('\r\n--b--\r\n')]);
      const socket = connect(Number(port), hostname);
      let answers = '';
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          answers += chunk;
        });
      const fields = `Host: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b`;
      const path = `/api/v1/workspaces/${workspaceId}/files`;
      socket.write(`POST ${path} HTTP/1.1\r\n${fields}\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      await until('the connection continues', async () => answers.includes('"status":"alive"'), 8_000);
      expect(answers).to.match(/^HTTP\/1\.1 413 .*"file_too_large".*HTTP\/1\.1 200 OK/s);
      socket.destroy();
    });

    it('has a name in any script, without a path', async () => {
      const names = {
        'صورة القميص.png': 'صورة القميص.png',
        'C:\\Users\\hodan\\pixel.png': 'pixel.png',
        '../../etc/pixel.png': 'pixel.png',
        'a\u202egnp.exe.png': 'a gnp.exe.png',
        '..png': 'png.png',
        [`${'x'.repeat(300)}.png`]: `${'x'.repeat(236)}.png`,
      };
      for (const [given, shown] of Object.entries(names))
        expect((await upload(formWith(PIXEL, given))).body.name, given).to.equal(shown);
    });
  });

  describe('an invalid form', () => {
    const part = (name: string, text = 'hello', more = '; filename="a.txt"'): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;

    it('is rejected with the path of each problem, and nothing of it is stored', () =>
      retainsNothing(async () => {
        const forms: [string, string[]][] = [
          ['--b--\r\n', ['body.file']],
          [`${part('file', '')}--b--`, ['body.file']],
          [`${part('file')}${part('file')}--b--`, ['body.file']],
          [`${part('file')}${part('other')}--b--`, ['body.other']],
          [`${part('other')}${part('file')}--b--`, ['body.other']],
          [`${part('file')}${part('note', 'hello', '')}--b--`, ['body.note']],
          [`${part('file', 'hello', '')}--b--`, ['body.file']],
        ];
        for (const [text, places] of forms) {
          const answer = await raw(text);
          isProblem(answer, 422, 'validation_failed', text);
          expect(locations(answer), text).to.deep.equal(places);
        }
      }));

    it('is rejected if it is malformed, or not a form', () =>
      retainsNothing(async () => {
        for (const text of ['', 'hello', part('file'), part('file').slice(0, -9), '--b', '--b\r\n\r\n', '--c--'])
          isProblem(await raw(text), 400, 'malformed_body', JSON.stringify(text));
        isProblem(await raw(`${part('file')}--b--`, 'multipart/form-data'), 400, 'malformed_body');
        const many = Array.from({ length: 20 }, (_, index) => part(`p${index}`)).join('');
        isProblem(await raw(`${part('file')}${many}--b--`), 400, 'malformed_body');
        for (const type of ['application/json', 'multipart/mixed; boundary=b', 'text/plain'])
          isProblem(await raw(`${part('file')}--b--`, type), 415, 'unsupported_media_type', type);
        const coded = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' };
        isProblem(await stage.call(uploadFile, { raw: 'x', headers: coded }), 415, 'unsupported_media_type');
      }));

    it('leaves nothing if its sender disconnects', () =>
      retainsNothing(async () => {
        const { hostname, port } = new URL(stage.baseUrl);
        const { workspaceId, key } = stage.main.store;
        const before = (await stored()).length;
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /api/v1/workspaces/${workspaceId}/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n${part('file', 'x'.repeat(600_000))}`,
        );
        await until('its file is being written', async () => (await stored()).length > before);
        socket.destroy();
      }));
  });

  describe('an upload with an Idempotency-Key', () => {
    it('is stored once for the same file, and another file is rejected', async () => {
      const headers = { 'idempotency-key': 'photo-1' };
      const first = await upload(formWith(PIXEL), undefined, headers);
      const before = await stored();
      const again = await upload(formWith(PIXEL), undefined, headers);
      expect([again.status, again.body]).to.deep.equal([201, first.body]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      isProblem(await upload(formWith(JPEG), undefined, headers), 422, 'idempotency_key_reused');
      await until('only the first one is stored', async () => (await stored()).length <= before.length);
    });

    it('is stored once for concurrent requests', async () => {
      const before = (await stored()).length;
      const headers = { 'idempotency-key': 'photo-2' };
      // Different bytes from any that the store has.
      const bytes = padded(PIXEL, 4_242);
      const answers = await Promise.all(Array.from({ length: 20 }, () => upload(formWith(bytes), undefined, headers)));
      const made = answers.filter(({ status }) => status === 201);
      for (const answer of answers) if (answer.status !== 201) isProblem(answer, 409, 'idempotency_in_flight');
      expect(new Set(made.map(({ body }) => body.id)).size).to.equal(1);
      await until('one is stored', async () => (await stored()).length === before + 1);
      expect((await read(made[0]!.body.id)).status).to.equal(200);
    });
  });

  describe('a download', () => {
    const bytes = padded(JPEG, 100_000);
    let id: string;
    let etag: string;
    before(async () => {
      const { body } = await upload(formWith(bytes, 'قميص "1".jpg'));
      id = body.id;
      etag = `"${body.sha256}"`;
    });

    it('has the header fields that a browser needs', async () => {
      const { status, headers } = await read(id);
      expect(status).to.equal(200);
      expect(Object.fromEntries(headers)).to.include({
        'content-type': 'image/jpeg',
        'content-length': '100000',
        'content-disposition': `inline; filename="____ 1.jpg"; filename*=UTF-8''%D9%82%D9%85%D9%8A%D8%B5%201.jpg`,
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
        etag,
      });
    });

    it('is an attachment if a browser could execute it', async () => {
      for (const { name, bytes: content, kind } of SAMPLES) {
        const { body } = await upload(formWith(content, name));
        const reported = (await read(body.id)).headers.get('content-disposition');
        expect(reported, name).to.equal(`${kind === 'document' ? 'attachment' : 'inline'}; filename="${name}"`);
      }
    });

    it('supports ranges', async () => {
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=99999-', 99_999, 99_999],
        ['bytes=-100', 99_900, 99_999],
        ['bytes=-200000', 0, 99_999],
        ['bytes=10-200000', 10, 99_999],
      ] as const) {
        const answer = await read(id, { range });
        expect(answer.status, range).to.equal(206);
        expect(answer.headers.get('content-range'), range).to.equal(`bytes ${start}-${end}/100000`);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1)), range).to.equal(true);
      }
    });

    it('is complete for invalid or multiple ranges', async () => {
      for (const range of ['bytes=5-2', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-', 'x'])
        expect((await read(id, { range })).status, range).to.equal(200);
    });

    it('has no bytes beyond the end', async () => {
      for (const range of ['bytes=100000-', 'bytes=100000-100001', 'bytes=-0']) {
        const answer = await read(id, { range });
        expect([answer.status, answer.headers.get('content-range')], range).to.deep.equal([416, 'bytes */100000']);
        expect(((await answer.json()) as { code: string }).code).to.equal('range_not_satisfiable');
      }
    });

    it('is not repeated for clients that have it', async () => {
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await read(id, { 'if-none-match': known });
        expect([answer.status, await answer.text(), answer.headers.get('etag')]).to.deep.equal([304, '', etag]);
      }
      expect((await read(id, { 'if-none-match': '"x"' })).status).to.equal(200);
      expect((await read(id, { 'if-range': etag, range: 'bytes=0-1' })).status).to.equal(206);
      expect((await read(id, { 'if-range': '"x"', range: 'bytes=0-1' })).status).to.equal(200);
    });

    it('by HEAD has the header fields of the whole file, also with a range', async () => {
      for (const range of ['', 'bytes=0-9', 'bytes=100000-']) {
        const answer = await read(id, { range }, 'HEAD');
        const reported = [answer.status, answer.headers.get('content-length'), await answer.text()];
        expect(reported).to.deep.equal([200, '100000', '']);
      }
    });

    it('is found by an id in upper case, and by its own store only', async () => {
      expect((await read(id.toUpperCase())).status).to.equal(200);
      for (const store of [stage.sibling, stage.rival.store]) {
        const answer = await fetch(urlOf(id, store), { headers: { authorization: `Bearer ${store.key}` } });
        expect(answer.status).to.equal(404);
      }
    });
  });
});
