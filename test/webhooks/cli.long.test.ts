/** `suuq webhooks listen` and `verify` as a receiver runs them: the real command, without a data folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { signatureOf } from '../../application/webhooks/signature.js';
import { verify, verifyFresh } from '../../application/webhooks/verification.js';
import { until } from '../support/doubles/fakeClock.js';

const bin = fileURLToPath(new URL('../../../bin/suuq.mjs', import.meta.url));
const SECRET = 'whsec_9mTq';
const BODY = '{"id":"e1","type":"order.created","data":{}}';
const NOW = Date.parse('2026-03-01T08:00:00Z');
const RIGHT = signatureOf([SECRET], NOW, BODY);

describe('suuq webhooks verify', () => {
  let folder: string;
  let secretFile: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-verify-'));
    secretFile = join(folder, 'secret');
    await writeFile(secretFile, `${SECRET}\n`);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (args: readonly string[], input: string | Buffer = '') => {
    const options = { cwd: folder, input, env: { ...process.env, HOOK: 'whsec_wrong', BARE: SECRET.slice(6) } };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'webhooks', 'verify', ...args], options);
    return { status, out: stdout.toString(), err: stderr.toString() };
  };
  const header = ['--header', `Service-Signature: ${RIGHT}`];

  it('accepts a captured delivery from a file or standard input, and leaves no data folder', async () => {
    const bodyFile = join(folder, 'body');
    await writeFile(bodyFile, BODY);
    const others = ['--header', 'Content-Type: application/json'];
    const first = run(['--secret-file', secretFile, ...others, ...header, bodyFile]);
    expect(first).to.deep.equal({ status: 0, out: 'Valid, signed at 2026-03-01T08:00:00.000Z.\n', err: '' });
    const second = run(['--secret-file', secretFile, '--header', RIGHT, '--json'], BODY);
    expect(JSON.parse(second.out)).to.deep.equal({ valid: true, signedAt: '2026-03-01T08:00:00.000Z' });
    expect(existsSync(join(folder, 'data'))).to.equal(false);
  });

  it('reports why a signature does not match', () => {
    const file = ['--secret-file', secretFile, ...header];
    const cases: readonly (readonly [readonly string[], string, string])[] = [
      [['--secret-env', 'HOOK', ...header], BODY, 'the secret or the body differs'],
      [['--secret-env', 'BARE', ...header], BODY, 'the secret lacks its prefix whsec_'],
      [file, `${BODY}\n`, 'the body ends with a line break that was not sent'],
      [file, JSON.stringify(JSON.parse(BODY), undefined, 2), 'the body was parsed and serialized again'],
    ];
    for (const [args, body, why] of cases) {
      const { status, err } = run(args, body);
      expect([status, err]).to.deep.equal([1, `signature_invalid: no signature matches: ${why}.\n`]);
    }
  });

  it('prints its usage: one secret, one signature', () => {
    for (const [args, sentence] of [
      [header, 'give --secret-env or --secret-file'],
      [['--secret-env', 'NOT_SET_ANYWHERE', ...header], 'NOT_SET_ANYWHERE contains no secret'],
      [['--secret-file', secretFile, '--header', 'X: y'], "--header 'Service-Signature: t=…,v1=…' is missing"],
    ] as const) {
      const { status, err } = run(args, BODY);
      expect(status, err).to.equal(2);
      expect(err).to.contain(sentence);
    }
    expect(run(['--secret-file', join(folder, 'none'), ...header], BODY).err).to.contain('file_unreadable');
  });

  it('accepts every body with any of the secrets, and no changed body', () =>
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(1000), fc.boolean(), (bytes, place, rotated) => {
        const raw = Buffer.from(Buffer.from(bytes).toString());
        const header = signatureOf(rotated ? ['whsec_new', SECRET] : [SECRET], NOW, raw.toString());
        expect(verify({ header, raw, secret: SECRET })).to.deep.equal({ valid: true, signedAt: NOW / 1000 });
        const changed = Buffer.concat([raw, Buffer.from([1])]);
        changed[place % changed.length]! ^= 1;
        expect(verify({ header, raw: changed, secret: SECRET }).valid).to.equal(false);
      }),
    ));

  it('rejects what was signed more than 5 minutes ago or ahead, as a receiver does', () => {
    const signed = { header: RIGHT, raw: Buffer.from(BODY), secret: SECRET };
    for (const [seconds, valid] of [
      [0, true],
      [300, true],
      [-300, true],
      [302, false],
      [-302, false],
    ] as const)
      expect(verifyFresh(signed, NOW + seconds * 1000).valid, String(seconds)).to.equal(valid);
  });
});

describe('suuq webhooks listen', () => {
  let child: ChildProcess | undefined;
  afterEach(async () => {
    const own = child;
    child = undefined;
    if (own === undefined || own.exitCode !== null) return;
    own.kill('SIGKILL');
    await once(own, 'exit');
  });

  async function listen(...args: string[]) {
    const own = spawn(
      process.execPath,
      [bin, 'webhooks', 'listen', '--port', '0', '--secret-env', 'HOOK', '--json', ...args],
      {
        env: { ...process.env, HOOK: SECRET },
      },
    );
    child = own;
    const lines: Record<string, unknown>[] = [];
    createInterface({ input: own.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
    await until('it listens', () => lines.length > 0 || own.exitCode !== null);
    const url = String(lines.shift()?.listening);
    const post = async (signature: string, body = BODY): Promise<number> =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'service-signature': signature, 'service-delivery-attempt': '3' },
          body,
        })
      ).status;
    return { own, lines, post, url };
  }
  const fresh = (body = BODY): string => signatureOf([SECRET], Date.now(), body);

  it('verifies and prints what arrived, and stops after a given count', async () => {
    const { own, lines, post, url } = await listen();
    expect(await post(fresh())).to.equal(204);
    expect(await post(fresh())).to.equal(204);
    expect(await post('t=1,v1=2')).to.equal(401);
    expect(await post(signatureOf(['whsec_other'], Date.now(), BODY))).to.equal(401);
    expect(await post(RIGHT)).to.equal(401);
    expect(await post(fresh('[1]'), '[1]')).to.equal(400);
    expect((await fetch(url)).status).to.equal(405);
    expect(
      (await fetch(url, { method: 'POST', body: Buffer.alloc(11_000_000) }).catch(() => ({ status: 413 }))).status,
    ).to.equal(413);
    // A stream sends no content length.
    const endless = new Blob([Buffer.alloc(11_000_000)]).stream();
    const unbounded = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    expect((await fetch(url, unbounded).catch(() => ({ status: 413 }))).status).to.equal(413);
    await until('all is printed', () => lines.length === 9);
    const event = JSON.parse(BODY) as object;
    expect(lines[0]).to.deep.include({ answered: 204, attempt: 3, again: false, event });
    expect(lines[1]).to.deep.include({ answered: 204, again: true });
    expect(lines.slice(2).map(({ answered }) => answered)).to.deep.equal([401, 401, 401, 400, 405, 413, 413]);
    expect(lines[4]!.reason).to.match(/^signed \d+ s ago, more than 300 s$/);
    for (const line of lines.slice(2)) expect(line).to.not.have.property('event');
    own.kill('SIGTERM');
    await once(own, 'exit');
    expect(own.exitCode).to.equal(0);
    expect(lines.at(-1)).to.deep.equal({ received: 9 });
  });

  it('fails on purpose, as often as requested', async () => {
    const { lines, post } = await listen('--fail-rate', '1');
    expect(await post(fresh())).to.equal(500);
    expect(await post('t=1,v1=2')).to.equal(401);
    await until('it is printed', () => lines.length === 2);
    expect(lines[0]).to.deep.include({ answered: 500, reason: 'on purpose', event: JSON.parse(BODY) });
  });

  it('prints its usage', () => {
    for (const [args, sentence] of [
      [['--fail-rate', '2', '--secret-env', 'HOOK'], '--fail-rate must be from 0 to 1'],
      [['--port', 'x', '--secret-env', 'HOOK'], '--port must be from 0 to 65535'],
      [[], 'give --secret-env or --secret-file'],
    ] as const) {
      const env = { ...process.env, HOOK: SECRET };
      const { status, stderr } = spawnSync(process.execPath, [bin, 'webhooks', 'listen', ...args], { env });
      expect([status, stderr.toString().includes(sentence)], stderr.toString()).to.deep.equal([2, true]);
    }
  });
});
