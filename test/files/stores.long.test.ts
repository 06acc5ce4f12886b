/** File stores: the contract for a folder and for S3, and the failures that each must survive. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import { openS3Files } from '../../infrastructure/files/s3Files.js';
import { chunks, content, fileStoreContract, sha256 } from '../contracts/fileStoreContract.js';
import { bytesOf } from '../support/doubles/bytesOf.js';
import { type S3Server, s3Server } from '../support/doubles/s3Server.js';

const temporary = () => mkdtemp(join(tmpdir(), 'suuq-files-'));
const MB = 1024 * 1024;

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
}

fileStoreContract('folder', async () => {
  const folder = await temporary();
  const TOTAL = 100 * MB;
  /** Free bytes that the disk reports. Each check lowers the number by `step`, the bytes written between two checks. */
  let free: number = TOTAL;
  let step = 0;
  const space = async () => {
    const now = { free, total: TOTAL };
    free -= step;
    return now;
  };
  const store = await openFolderFiles({ folder: join(folder, 'files'), alone: true, floor: { percent: 5 }, space });
  return {
    store,
    full(after) {
      free = after === false ? TOTAL : 5 * MB - 1 + after;
      step = after === false ? 0 : 4 * MB;
    },
    stored: () => filesIn(join(folder, 'files')),
    close: () => rm(folder, { recursive: true }),
  };
});

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
const timeouts = { connect: 1_000, request: 1_000, idle: 1_000 };
const s3Store = ({ endpoint, bucket }: S3Server, prefix = 'shop/files') =>
  openS3Files({ bucket, prefix, region: 'eu-central-1', endpoint, pathStyle: true, credentials, timeouts });

fileStoreContract('S3', async () => {
  const server = await s3Server();
  const store = s3Store(server);
  return {
    store,
    full(after) {
      server.leaveRoom(after === false ? Number.POSITIVE_INFINITY : after);
    },
    async stored() {
      const whole = [...server.objects.keys()].map((key) => key.replace(/^shop\/files\//, ''));
      return [...whole, ...server.unfinished.keys()];
    },
    async close() {
      await store.close();
      await server.close();
    },
  };
});

describe('a folder of files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporary();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('removes incomplete files at the start, but none that another instance is writing', async () => {
    await openFolderFiles({ folder, alone: true });
    const drafts = join(folder, '.unfinished');
    await writeFile(join(drafts, 'old'), 'x');
    await writeFile(join(drafts, 'new'), 'x');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(drafts, 'old'), longAgo, longAgo);
    await openFolderFiles({ folder, alone: false });
    expect(await filesIn(folder)).to.deep.equal(['.unfinished/new']);
    await openFolderFiles({ folder, alone: true });
    expect(await filesIn(folder)).to.deep.equal([]);
  });

  it('can be read by its owner only', async () => {
    const store = await openFolderFiles({ folder: join(folder, 'files'), alone: true });
    await store.put('store/one', chunks(content(10)), { mostBytes: 10 });
    const modes = ['files', 'files/store', 'files/store/one'].map(
      async (name) => (await stat(join(folder, name))).mode,
    );
    expect((await Promise.all(modes)).map((mode) => (mode & 0o777).toString(8))).to.deep.equal(['700', '700', '600']);
  });

  it('reports what prevents writing', async () => {
    const store = await openFolderFiles({ folder: join(folder, 'files'), alone: true });
    await rm(join(folder, 'files'), { recursive: true });
    expect(await store.check()).to.equal('the files folder cannot be written to (ENOENT)');
  });

  it('has each file completely or not at all, whenever the process is killed', async () => {
    const writer = fileURLToPath(new URL('../support/threads/fileWriter.js', import.meta.url));
    for (const killAfter of [1, 2, 4, 7]) {
      const child = spawn(process.execPath, [writer, folder, String(killAfter)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let written = 0;
      child.stdout.on('data', (data: Buffer) => {
        written += data.toString().split('\n').length - 1;
        if (written >= killAfter) child.kill('SIGKILL');
      });
      await new Promise((resolve) => child.once('close', resolve));
      const store = await openFolderFiles({ folder, alone: true });
      const names = await filesIn(folder);
      expect(names.length, 'what was told is there').to.be.at.least(written);
      for (const name of names) {
        const { content: stream } = (await store.read(name))!;
        expect(sha256(await bytesOf(stream)), name).to.equal(sha256(content(2 * MB)));
        await store.remove(name);
      }
    }
  });
});

describe('a bucket of files', () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await s3Server();
  });
  afterEach(() => server.close());
  const put = (size: number) => s3Store(server).put('store/one', chunks(content(size)), { mostBytes: 100 * MB });

  it('retries after temporary errors', async () => {
    server.fail('head', 'error');
    server.fail('create', 'cut');
    server.fail('part', 'error');
    server.fail('part', 'hang');
    server.fail('complete', 'error');
    expect(await put(12 * MB)).to.deep.equal({ size: 12 * MB, sha256: sha256(content(12 * MB)) });
    expect(server.objects.get('shop/files/store/one')!.equals(content(12 * MB))).to.equal(true);
  });

  for (const [call, fault] of [
    ['part', 'error'],
    ['part', 'hang'],
    ['complete', 'error'],
    ['put', 'cut'],
  ] as const)
    it(`gives up within a limit when ${call} meets ${fault}, and leaves nothing`, async () => {
      server.fail(call, fault, 20);
      let failed = false;
      await put(call === 'put' ? 1_000 : 12 * MB).catch(() => {
        failed = true;
      });
      expect(failed).to.equal(true);
      expect([server.objects.size, server.unfinished.size]).to.deep.equal([0, 0]);
    });

  it('buffers at most one part at a time', async () => {
    await put(12 * MB);
    expect(Math.max(...server.bodies)).to.equal(5 * MB);
  });

  it('reports a reader whose connection was cut', async () => {
    await put(2 * MB);
    server.fail('get', 'cut');
    const { content: stream } = (await s3Store(server).read('store/one'))!;
    let broken = false;
    await bytesOf(stream).catch(() => {
      broken = true;
    });
    expect(broken).to.equal(true);
  });

  it('reports what prevents its use, without the sent data', async () => {
    const away = openS3Files({
      bucket: 'other',
      prefix: '',
      region: 'eu',
      endpoint: server.endpoint,
      pathStyle: true,
      credentials,
    });
    expect(await away.check()).to.equal('the file store bucket is unavailable (404)');
    server.fail('bucket', 'hang', 9);
    const slow = await s3Store(server).check();
    expect(slow).to.match(/^the file store bucket is unavailable \(\w+\)$/);
  });

  it('stores files at the top of the bucket without a prefix', async () => {
    await s3Store(server, '').put('store/one', chunks(content(10)), { mostBytes: 10 });
    expect([...server.objects.keys()]).to.deep.equal(['store/one']);
  });
});
