/** Files in the running service: memory, kill -9, and a customer's photo copied from the channel to a store's file. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { until } from '../support/doubles/fakeClock.js';
import { s3Server } from '../support/doubles/s3Server.js';
import { JPEG } from '../support/samples/fileSamples.js';

const MB = 1024 * 1024;

describe('files of the running service', () => {
  const folder = temporaryFolder('suuq-files-service-');
  let service: ServiceProcess;
  let demo: Demo;

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  const pathOf = (rest = ''): string => `/api/v1/workspaces/${demo.store.workspaceId}/files${rest}`;
  const authorization = (): string => `Bearer ${demo.store.secretKey}`;
  const get = (id: string, headers = {}): Promise<Response> =>
    fetch(service.baseUrl + pathOf(`/${id}`), { headers: { authorization: authorization(), ...headers } });
  async function stored(): Promise<string[]> {
    const found = await readdir(join(folder.path, 'files'), { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map(({ name, parentPath }) => join(parentPath, name));
  }

  /** Uploads a PDF of this size, generated while sending. */
  async function uploadLarge(
    size: number,
  ): Promise<{ status: number; body: { id: string; size: number; sha256: string } }> {
    const begin = '%PDF-1.7\n';
    const head = Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="book.pdf"\r\n\r\n${begin}`);
    const tail = Buffer.from('\r\n--b--\r\n');
    const block = Buffer.alloc(64 * 1024, 'x');
    const requested = request(service.baseUrl + pathOf(), {
      method: 'POST',
      headers: {
        authorization: authorization(),
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': head.length + size - begin.length + tail.length,
      },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      requested.on('response', resolve).on('error', reject),
    );
    const write = (bytes: Buffer): unknown =>
      requested.write(bytes) || new Promise((resolve) => requested.once('drain', resolve));
    await write(head);
    for (let left = size - begin.length; left > 0; left -= block.length)
      await write(block.subarray(0, Math.min(left, block.length)));
    requested.end(tail);
    const answer = await answered;
    return { status: answer.statusCode!, body: JSON.parse((await bytesOf(answer)).toString()) };
  }

  it('are streamed: four of 100 MB at once, and one download, use little memory', async () => {
    await uploadLarge(1 * MB);
    const before = service.resident();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, service.resident());
    }, 20);
    try {
      const four = await Promise.all([1, 2, 3, 4].map(() => uploadLarge(100 * MB)));
      for (const { status, body } of four) expect([status, body.size]).to.deep.equal([201, 100 * MB]);
      const { body } = four[0]!;
      const hash = createHash('sha256');
      // Reads slowly at first, so that the service must wait for its reader.
      const answer = await get(body.id);
      let read = 0;
      for await (const chunk of answer.body!) {
        if (read === 0) await new Promise((resolve) => setTimeout(resolve, 500));
        read += (chunk as Uint8Array).length;
        hash.update(chunk as Uint8Array);
      }
      expect([read, hash.digest('hex')]).to.deep.equal([100 * MB, body.sha256]);
    } finally {
      clearInterval(watch);
    }
    // 500 MB passed through. The amount of garbage not yet collected differs between versions of Node.
    expect((most - before) / MB, 'MB more than before').to.be.below(160);
  });

  it('are closed when their reader disconnects', async () => {
    const { body } = await uploadLarge(20 * MB);
    const leaving = new AbortController();
    const answer = await fetch(service.baseUrl + pathOf(`/${body.id}`), {
      headers: { authorization: authorization() },
      signal: leaving.signal,
    });
    await answer.body!.getReader().read();
    const open = async (): Promise<number> => {
      const links = await readdir(`/proc/${service.pid}/fd`, { withFileTypes: true });
      return links.length;
    };
    const during = await open();
    leaving.abort();
    await until('the file is closed', async () => (await open()) < during);
  });

  it('of a customer become files of the store', async () => {
    const control = `${demo.sandbox.baseUrl}/sandbox/numbers/${demo.channel.phoneNumberId}/customers/%2B252615559901/messages`;
    const sent = await fetch(control, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        image: { mimeType: 'image/jpeg', base64: JPEG.toString('base64'), caption: 'this one?' },
      }),
    });
    expect(sent.status, await sent.clone().text()).to.equal(200);
    const inbox = `${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}/conversations`;
    const read = async (path: string) =>
      (await fetch(path, { headers: { authorization: authorization() } })).json() as never;
    let media: { status: string; fileId?: string; mimeType?: string } | undefined;
    await until('the photo is ready', async () => {
      const { conversations }: { conversations: { id: string; contact: { phone: string } }[] } = await read(inbox);
      const found = conversations.find(({ contact }) => contact.phone === '+252615559901');
      if (found === undefined) return false;
      const { messages }: { messages: { media?: typeof media }[] } = await read(`${inbox}/${found.id}/messages`);
      media = messages.find((one) => one.media !== undefined)?.media;
      return media?.status === 'ready';
    });
    expect(media!.mimeType).to.equal('image/jpeg');
    const answer = await get(media!.fileId!);
    expect(Buffer.from(await answer.arrayBuffer()).equals(JPEG)).to.equal(true);
  });

  it('that were acknowledged exist after kill -9, and nothing else is left', async () => {
    const acknowledged = new Map<string, Buffer>();
    for (let round = 0; round < 2; round += 1) {
      let going = true;
      const writers = [1, 2, 3, 4].map(async (writer) => {
        for (let turn = 0; going; turn += 1) {
          const bytes = Buffer.concat([PIXEL, Buffer.from(`${round}-${writer}-${turn}`), Buffer.alloc(1 * MB)]);
          const answer = await fetch(service.baseUrl + pathOf(), {
            method: 'POST',
            headers: { authorization: authorization() },
            body: formWith(bytes),
          }).catch(() => undefined);
          if (answer?.status === 201)
            await answer.json().then(
              (body) => acknowledged.set((body as { id: string }).id, bytes),
              () => undefined,
            );
        }
      });
      const before = acknowledged.size;
      await until('some are acknowledged', () => acknowledged.size >= before + 6, 30_000);
      await service.kill();
      going = false;
      await Promise.all(writers);
      service = await startService(folder.path);
    }
    for (const [id, bytes] of acknowledged) {
      const answer = await get(id);
      expect(answer.status, id).to.equal(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), id).to.equal(true);
    }
    expect((await stored()).filter((path) => path.includes('.unfinished'))).to.deep.equal([]);
  });
});

describe('files of a service with a bucket', () => {
  const SECRET = 'wJalrXUtnFEMIK7MDENG';

  it('are stored in it and read back; an outage is reported, without secrets', async () => {
    const folder = temporaryFolder('suuq-files-bucket-');
    const bucket = await s3Server();
    const service = await startService(folder.path, {
      SUUQ_LOG: 'debug',
      SUUQ_FILES: `s3://${bucket.bucket}/shop`,
      SUUQ_FILES_ENDPOINT: bucket.endpoint,
      SUUQ_FILES_PATH_STYLE: '1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: SECRET,
    });
    try {
      const { store } = readDemo(folder.path);
      const url = `${service.baseUrl}/api/v1/workspaces/${store.workspaceId}/files`;
      const headers = { authorization: `Bearer ${store.secretKey}` };
      const upload = () => fetch(url, { method: 'POST', headers, body: formWith(PIXEL) });
      const { id } = (await (await upload()).json()) as { id: string };
      expect([...bucket.objects.values()].map((bytes) => bytes.equals(PIXEL))).to.deep.equal([true]);
      const answer = await fetch(`${url}/${id}`, { headers: { ...headers, range: 'bytes=1-3' } });
      expect([answer.status, await answer.text()]).to.deep.equal([206, 'PNG']);
      for (const call of ['put', 'get'] as const) bucket.fail(call, 'error', 3);
      for (const refused of [await upload(), await fetch(`${url}/${id}`, { headers })]) {
        expect(refused.status).to.equal(503);
        expect(((await refused.json()) as { code: string }).code).to.equal('unavailable');
      }
      expect((await fetch(`${url}/${id}`, { headers })).status).to.equal(200);
      await until('it is logged', () => service.output().includes('file store failed'));
      expect(service.output()).to.not.include(SECRET);
      expect(service.output()).to.not.include('AWS4-HMAC');
    } finally {
      await service.stop();
      await bucket.close();
      folder.remove();
    }
  });
});
