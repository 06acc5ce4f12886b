/** The sandbox's files: where they are, how they are got and given, and how it goes wrong on demand. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { SandboxMediaStore } from '../../infrastructure/sandbox/media.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { NUMBER_ID, type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ASHA = `/sandbox/numbers/${NUMBER_ID}/customers/252615550101`;
const bearer = { authorization: `Bearer ${TOKEN}` };

interface Located {
  readonly url: string;
  readonly mime_type: string;
  readonly sha256: string;
  readonly file_size: number;
  readonly id: string;
}

async function sendPicture(
  stage: SandboxStage,
  image: unknown = { base64: PNG.toString('base64'), mimeType: 'image/png' },
) {
  await stage.control('POST', `${ASHA}/messages`, { image });
  return stage.values.at(-1)?.messages?.[0]?.image as { id: string; mime_type: string; sha256: string };
}
const graph = (stage: SandboxStage, path: string, init: RequestInit = {}) =>
  fetch(`${stage.baseUrl}/v23.0/${path}`, { ...init, headers: { ...bearer, ...init.headers } });
const locate = async (stage: SandboxStage, id: string) => (await (await graph(stage, id)).json()) as Located;
const download = (url: string) => fetch(url, { headers: bearer, redirect: 'manual' });

function upload(
  stage: SandboxStage,
  content: Uint8Array,
  type: string,
  fields: object = { messaging_product: 'whatsapp' },
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([content as Uint8Array<ArrayBuffer>], { type }), 'file');
  return graph(stage, `${NUMBER_ID}/media`, { method: 'POST', body: form });
}

describe('sandbox files', () => {
  let stage: SandboxStage;
  beforeEach(async () => {
    stage = await sandboxStage();
  });
  afterEach(() => stage.close());

  it('of a customer are found by id and downloaded with the token', async () => {
    const { id, mime_type, sha256 } = await sendPicture(stage);
    expect([mime_type, sha256]).to.deep.equal(['image/png', createHash('sha256').update(PNG).digest('base64')]);
    const found = await locate(stage, id);
    expect(found).to.include({ id, mime_type: 'image/png', file_size: PNG.length });
    expect(found.sha256).to.equal(createHash('sha256').update(PNG).digest('hex'));
    const answer = await download(found.url);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).to.equal(true);
    expect((await fetch(found.url)).status).to.equal(401);
    expect((await fetch(`${stage.baseUrl}/v23.0/${id}`)).status).to.equal(401);
    expect((await download(found.url.replace(/hash=.{4}/, 'hash=0000'))).status).to.equal(404);
  });

  it('are not found under another id', async () => {
    const answer = await graph(stage, '123456789012345');
    expect(answer.status).to.equal(400);
    expect(await answer.json()).to.have.nested.property('error.code', 100);
  });

  it('can expire, and can be deleted', async () => {
    const { id } = await sendPicture(stage);
    const { url } = await locate(stage, id);
    expect((await stage.control('POST', `/sandbox/media/${id}/expire`)).status).to.equal(204);
    expect((await download(url)).status).to.equal(404);
    expect((await download((await locate(stage, id)).url)).status).to.equal(200);
    await stage.control('DELETE', `/sandbox/media/${id}`);
    expect((await graph(stage, id)).status).to.equal(400);
  });

  it('have built-in samples of every kind, each of a type that the channel sends', async () => {
    const kinds = ['image', 'video', 'voice', 'audio', 'document', 'sticker'];
    for (const kind of kinds) await stage.control('POST', `${ASHA}/messages`, { [kind]: true });
    const sent = stage.values.map(({ messages }) => messages![0]!);
    expect(sent.map(({ type }) => type)).to.deep.equal(['image', 'video', 'audio', 'audio', 'document', 'sticker']);
    const types = sent.map((one) => (one[one.type as string] as { mime_type: string }).mime_type);
    expect(types).to.deep.equal([
      'image/jpeg',
      'video/mp4',
      'audio/ogg; codecs=opus',
      'audio/ogg; codecs=opus',
      'application/pdf',
      'image/webp',
    ]);
    expect(sent.map(({ audio }) => (audio as { voice?: boolean } | undefined)?.voice)).to.deep.equal([
      undefined,
      undefined,
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(sent[4]?.document).to.have.property('filename', 'receipt.pdf');
  });

  it('of the service are accepted, found and returned', async () => {
    const answer = await upload(stage, PNG, 'image/png');
    expect(answer.status).to.equal(200);
    const { id } = (await answer.json()) as { id: string };
    expect((await download((await locate(stage, id)).url)).status).to.equal(200);
    const shown = await fetch(`${stage.baseUrl}/sandbox/media/${id}`);
    expect(shown.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(Buffer.from(await shown.arrayBuffer()).equals(PNG)).to.equal(true);
  });

  it('are rejected if the type is not the channel’s, they are too large, or a field is missing', async () => {
    const error = async (answer: Promise<Response>) => {
      const { status, ...rest } = await answer.then(async (one) => ({
        status: one.status,
        ...((await one.json()) as { error: { code: number; message: string } }),
      }));
      return [status, rest.error.code, rest.error.message] as const;
    };
    const gif = await error(upload(stage, PNG, 'image/gif'));
    expect(gif.slice(0, 2)).to.deep.equal([400, 100]);
    expect(gif[2]).to.contain("'image/gif'");
    expect((await error(upload(stage, new Uint8Array(5 * 1024 * 1024 + 1), 'image/png')))[2]).to.contain('too large');
    expect((await error(upload(stage, new Uint8Array(500 * 1024 + 1), 'image/webp')))[2]).to.contain('too large');
    expect((await error(upload(stage, PNG, 'image/png', {})))[2]).to.contain('messaging_product');
    const { body } = await stage.control('GET', '/sandbox/media');
    expect(body).to.have.nested.property('media.length', 1);
    expect((await upload(stage, new Uint8Array(5 * 1024 * 1024), 'image/png')).status).to.equal(200);
  });

  it('have a wrong type, size and hash on demand', async () => {
    const { id } = await sendPicture(stage);
    for (const kind of ['lying_mime_type', 'wrong_sha256', 'wrong_size']) await stage.fault('media', kind);
    expect(await locate(stage, id)).to.include({ mime_type: 'application/pdf', file_size: PNG.length });
    expect((await locate(stage, id)).sha256).to.equal('0'.repeat(64));
    expect((await locate(stage, id)).file_size).to.be.below(PNG.length);
    await stage.fault('media', 'not_found');
    expect((await graph(stage, id)).status).to.equal(400);
  });

  it('are endless, aborted, redirected or missing on demand', async () => {
    const { id } = await sendPicture(stage);
    const { url } = await locate(stage, id);
    await stage.fault('media_download', 'endless_body');
    let size = 0;
    for await (const chunk of (await download(url)).body!) {
      size += chunk.length;
      if (size > 1_000_000) break;
    }
    expect(size).to.be.above(1_000_000);
    await stage.fault('media_download', 'cut_off');
    const broken = await download(url)
      .then((one) => one.arrayBuffer())
      .catch(() => 'broken');
    expect(broken).to.equal('broken');
    await stage.fault('media_download', 'redirect');
    expect((await download(url)).status).to.equal(302);
    await stage.fault('media_download', 'expired');
    expect((await download(url)).status).to.equal(404);
    await stage.fault('media_download', 'error');
    expect((await download(url)).status).to.equal(503);
    expect((await download(url)).status).to.equal(200);
  });
});

describe('expiry of sandbox files', () => {
  it('is five minutes for URLs and seven days for ids', async () => {
    const clock = fakeClock();
    const stage = await sandboxStage({ clock });
    const { id } = await sendPicture(stage);
    const { url } = await locate(stage, id);
    await clock.advance(5 * 60_000 - 1_000);
    expect((await download(url)).status).to.equal(200);
    await clock.advance(1_000);
    expect((await download(url)).status).to.equal(404);
    expect((await download((await locate(stage, id)).url)).status).to.equal(200);
    await clock.advance(7 * 86_400_000);
    expect((await graph(stage, id)).status).to.equal(400);
    await stage.close();
  });

  it('survives a restart, with new URLs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'suuq-sandbox-'));
    const stage = await sandboxStage({ stateFile: join(folder, 'sandbox.jsonl') });
    const { id } = await sendPicture(stage);
    await stage.restart();
    const answer = await download((await locate(stage, id)).url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).to.equal(true);
    await stage.close();
    await rm(folder, { recursive: true });
  });

  it('limits number and size, keeps the newest, and leaves no partial file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'suuq-sandbox-'));
    const media = new SandboxMediaStore(fakeClock(), folder, { files: 3, bytes: 1_000 });
    const put = (size: number) =>
      media.put(Readable.from([Buffer.alloc(size)]), { mimeType: 'image/png', retentionMs: 1_000, mostBytes: 900 });
    const ids: string[] = [];
    for (const size of [100, 100, 100, 100, 850]) ids.push((await put(size)).media.id);
    expect(media.list().map(({ id }) => id)).to.deep.equal(ids.slice(3));
    const tooLarge = await put(901).catch((error: Error) => error.name);
    expect(tooLarge).to.equal('MediaTooLarge');
    await until('the others are removed', async () => (await readdir(folder)).length === 2);
    await writeFile(join(folder, 'half'), 'half');
    await media.tidy();
    expect((await readdir(folder)).sort()).to.deep.equal(ids.slice(3).sort());
    await rm(folder, { recursive: true });
  });
});
