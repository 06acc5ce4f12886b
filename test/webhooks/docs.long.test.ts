/** The receivers of docs/guides/webhooks.md, run unchanged against the delivery engine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { signatureOf } from '../../application/webhooks/signature.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { until } from '../support/doubles/fakeClock.js';
import { type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const page = new URL('../../../docs/guides/webhooks.md', import.meta.url);
const LANGUAGES = [
  { name: 'Node', block: 'js', file: 'receiver.mjs', command: process.execPath },
  { name: 'Express', block: 'js express', file: 'receiver.mjs', command: process.execPath },
  { name: 'Python', block: 'python', file: 'receiver.py', command: 'python3' },
] as const;

for (const { name, block, file, command } of LANGUAGES)
  describe(`the receiver in ${name} of docs/guides/webhooks.md`, () => {
    let folder: string;
    let stage: WebhookStage;
    let child: ChildProcess | undefined;

    before(function () {
      if (spawnSync(command, ['--version']).status !== 0) this.skip();
    });
    beforeEach(async () => {
      // Below the project, so that its packages resolve.
      folder = await mkdtemp(join(projectFolder, 'dist', 'receiver-'));
      stage = await webhookStage();
      // Signatures contain the engine's time. Receivers compare it with the system clock.
      await stage.processors.clock.advance(Date.now() - stage.processors.clock.now());
    });
    afterEach(async () => {
      if (child !== undefined && child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await stage.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function start(secret: string): Promise<{ url: string; lines: string[] }> {
      const text = await readFile(page, 'utf8');
      const blockOf = (kind: string): string => {
        const code = new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
        expect(code, `the page has the code in ${kind}`).to.be.a('string');
        return code!;
      };
      // The Express server uses the check of the receiver above it on the page.
      const [check = ''] = blockOf('js').split('const server =');
      const code = name === 'Express' ? check + blockOf(block) : blockOf(block);
      const path = join(folder, file);
      await writeFile(path, code);
      const own = spawn(command, [path], { env: { ...process.env, SECRET: secret, PORT: '0' } });
      child = own;
      const lines: string[] = [];
      let complaint = '';
      own.stderr.on('data', (chunk) => {
        complaint += chunk;
      });
      createInterface({ input: own.stdout }).on('line', (line) => lines.push(line));
      await until('it listens', () => lines.length > 0 || own.exitCode !== null);
      const port = /^listening (\d+)$/.exec(lines.shift() ?? '')?.[1];
      expect(port, complaint).to.be.a('string');
      return { url: `http://127.0.0.1:${port}/`, lines };
    }

    it('accepts what the engine sends, once each, with any text', async () => {
      const { id, secret } = await stage.endpoint('http://127.0.0.1:9/', ['order.created']);
      const { url, lines } = await start(secret);
      const running = await stage.start();
      await stage.moved(id, url);
      const first = await stage.happens('OrderPlaced', { note: 'Dirac “blå” ü, 印, 😀\n' });
      const second = await stage.happens('OrderPlaced');
      await until('both are in the log', async () => (await stage.log(id)).length === 2);
      await stage.quiet(running);
      expect((await stage.log(id)).map(({ responseCode }) => responseCode)).to.deep.equal([204, 204]);
      await until('both are delivered', () => lines.length === 2);
      expect(lines).to.have.members([`order.created ${first}`, `order.created ${second}`]);
    });

    it('rejects another secret, another body or another time, and counts a repetition once', async () => {
      const secret = 'whsec_right';
      const { url, lines } = await start(secret);
      const body = '{"id":"e1","type":"order.created"}';
      const now = Date.now();
      const post = async (signature: string | undefined, sent = body): Promise<number> => {
        const headers: Record<string, string> = signature === undefined ? {} : { 'service-signature': signature };
        return (await fetch(url, { method: 'POST', headers, body: sent })).status;
      };
      const right = signatureOf([secret], now, body);
      expect(await post(signatureOf(['whsec_wrong'], now, body))).to.equal(401);
      expect(await post(right, `${body} `)).to.equal(401);
      expect(await post(signatureOf([secret], now - 301_000, body))).to.equal(401);
      expect(await post(signatureOf([secret], now + 302_000, body))).to.equal(401);
      const [t] = right.split(',');
      for (const broken of [undefined, 't=,v1=', 'v1=00', right.replace('v1', 'v0'), right.slice(0, -2)])
        expect(await post(broken), broken).to.equal(401);
      for (const broken of [`${t},v1`, `${t},v1=é`, 't=²,v1=00', `t=${'9'.repeat(5000)},v1=00`])
        expect(await post(broken), broken).to.equal(401);
      // A sender that disconnects in the middle of its body.
      const leaving = request(url, { method: 'POST', headers: { 'content-length': '100' } }).on(
        'error',
        () => undefined,
      );
      leaving.write(body, () => leaving.destroy());
      await new Promise((resolve) => leaving.once('close', resolve));
      expect(await post(right)).to.equal(204);
      expect(await post(signatureOf(['whsec_older', secret], now, body))).to.equal(204);
      await until('it is delivered', () => lines.length > 0);
      expect(lines).to.deep.equal(['order.created e1']);
    });
  });
