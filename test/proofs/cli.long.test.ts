/** Proofs as an operator and an auditor get them: the real command, the running service, and its published heads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { fromHex } from '../../engine/proofs/hashing.js';
import { isSignedBy, type SignedHead } from '../../engine/proofs/treeHead.js';
import { provesConsistency } from '../../engine/proofs/verifying.js';
import { EMBEDDED, startService, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';
import { uuidOf } from '../support/stages/proofsStage.js';

interface Audited {
  readonly whole: boolean;
  readonly events: number;
  readonly inTree: number;
  readonly heads: number;
  readonly faults: readonly { readonly kind: string; readonly place: string }[];
}

/** Fields of the published answers that the tests check. */
interface Published extends SignedHead {
  readonly path: readonly string[];
  readonly keys: readonly unknown[];
  readonly code: string;
}

describe('proofs on the command line', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-audit-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data, { timeout: 60_000 });
  before(async () => {
    await foundInstallation(data);
    json('admin', 'plans', 'put', '--key', 'growth', '--name', 'Growth', '--feature', 'commerce.catalog');
  });
  after(() => folder.remove());

  const partner = (slug: string): void =>
    json('admin', 'partners', 'create', '--name', slug, '--slug', slug, '--plan', 'growth');

  it('are signed, exported and verified without a service', () => {
    partner('acme');
    const unsigned = suuq('audit', 'verify');
    expect(unsigned.status).to.equal(0);
    expect(unsigned.stdout).to.include('No head has been signed yet').and.not.include('matches all signed heads');
    const head = json('audit', 'head') as SignedHead;
    expect(head.size).to.equal(3);
    const { keys } = json('audit', 'keys');
    expect(isSignedBy(head, keys[0].publicKey)).to.equal(true);
    const bundle = json('audit', 'stream', 'plan-growth');
    expect(bundle).to.include({ format: 'suuq-proof-1', stream: 'plan-growth' });
    expect(bundle.events).to.have.length(1);
    // People and scripts get the same bytes, which a verifier reads.
    expect(JSON.parse(suuq('audit', 'stream', 'plan-growth').stdout)).to.deep.equal(bundle);
    expect(json('audit', 'verify')).to.include({ whole: true, events: 3, inTree: 3, heads: 1, faultCount: 0 });
    expect(suuq('audit', 'verify').stdout).to.include('The history matches all signed heads.');
  });

  it('reject missing files and wrong arguments', () => {
    const textOf = (...words: string[]): string => {
      const { status, stderr } = suuq('audit', ...words);
      expect(status).to.be.above(0);
      return stderr;
    };
    expect(textOf('order', 'nobody')).to.match(/^not_found: There is no stream order-nobody/);
    expect(textOf('order')).to.include('suuq audit order');
    expect(textOf('consistency', '1', 'x')).to.match(/^validation_failed: .*number of events of a signed head/);
    expect(textOf('consistency', '9', '3')).to.match(/^range_reversed: /);
    expect(textOf('consistency', '2', '3')).to.match(/^not_found: No head was signed at 2 events/);
    expect(textOf('verify', '--heads', join(folder.path, 'nowhere.json'))).to.match(/^heads_unreadable: /);
    expect(textOf('verify', '--tolerance', 'x')).to.include('--tolerance must be from 0');
  });

  it('report changes in a copy, also by a head stored by somebody else', () => {
    const retained = join(folder.path, 'head.json');
    writeFileSync(retained, JSON.stringify(json('audit', 'head')));
    const copy = join(folder.path, 'copy');
    cpSync(data, copy, { recursive: true });
    const db = openDatabase(join(copy, 'events.db'));
    db.exec(`UPDATE events SET data = replace(data, 'acme', 'acne') WHERE position = 1`);
    db.close();
    const ran = commandLine(copy).suuq('audit', 'verify', '--json', '--heads', retained);
    const text = JSON.parse(ran.stdout) as Audited;
    expect(ran.status).to.equal(1);
    expect(text.faults.map(({ kind }) => kind)).to.have.members(['changed', 'head', 'head']);
    expect(text.faults[0]!.place).to.match(/^position 1 \(\w+, revision 0 of partner/);
  });

  it('continue under another key, with heads before and after valid', () => {
    const { keys: before } = json('audit', 'keys');
    const made = json('audit', 'rotate-key');
    partner('beta');
    const head = json('audit', 'head') as SignedHead;
    expect(head.keyId).to.equal(made.keyId);
    const { keys } = json('audit', 'keys');
    expect(keys.map(({ keyId }: { keyId: string }) => keyId)).to.deep.equal([before[0].keyId, made.keyId]);
    expect(keys[0].retiredAt).to.be.a('string');
    expect(json('audit', 'verify')).to.include({ whole: true, heads: 2 });
    const linked = json('audit', 'consistency', '3', String(head.size));
    expect(linked.keys).to.have.length(2);
    // No secret part of the retired key is left, and no secret is stored in plain text.
    const work = readFileSync(join(data, 'work.db'), 'latin1') + readFileSync(join(data, 'proofs.db'), 'latin1');
    expect(work).to.not.include('MC4CAQAwBQYDK2VwBCIE');
  });

  it('are re-encrypted under another master key', () => {
    const [old] = readFileSync(join(data, 'master.key'), 'utf8').split('\n');
    const next = 'ab'.repeat(32);
    writeFileSync(join(data, 'master.key'), `${next}\n${old}\n`);
    expect(json('admin', 'secrets', 'rotate').resealed).to.equal(1);
    writeFileSync(join(data, 'master.key'), `${next}\n`);
    partner('gamma');
    expect((json('audit', 'head') as SignedHead).size).to.be.above(5);
  });

  it('are published by the running service', async () => {
    const service = await startService(data, { SUUQ_SANDBOX: 'on' });
    try {
      const at = `${service.baseUrl}/.well-known/suuq-log`;
      const request = async (path: string) => {
        const answer = await fetch(`${at}/${path}`);
        const body = (await answer.json()) as Published;
        return { status: answer.status, cache: answer.headers.get('cache-control'), body };
      };
      const first = await request('head');
      expect(first).to.include({ status: 200, cache: 'public, max-age=10' });
      const made = json('audit', 'head') as SignedHead;
      expect(made.size).to.be.above(first.body.size);
      expect((await request(`head?size=${first.body.size}`)).cache).to.equal('public, max-age=31536000, immutable');
      const { body: linked } = await request(`consistency?from=${first.body.size}&to=${made.size}`);
      const root = ({ size, rootHash }: SignedHead) => ({ size, root: fromHex(rootHash) });
      expect(provesConsistency(root(first.body), root(made), linked.path.map(fromHex))).to.equal(true);
      expect((await request('keys')).body.keys).to.have.length(2);
      expect((await request('head?size=1')).body.code).to.equal('not_found');
      expect((await request('head?size=-1')).body.code).to.equal('validation_failed');
      expect((await request('consistency?from=3')).body.code).to.equal('validation_failed');
      expect((await request(`consistency?from=${made.size}&to=3`)).body.code).to.equal('range_reversed');
      // The log matches the head that the service itself publishes.
      expect(json('audit', 'verify', '--heads', `${at}/head`)).to.include({ whole: true });
    } finally {
      await service.stop();
    }
  });

  it('are not on the public port if they are private', async () => {
    const service = await startService(data, {
      SUUQ_SANDBOX: 'on',
      SUUQ_TREE_HEADS: 'private',
      SUUQ_CONSOLE_PORT: '0',
    });
    try {
      const { readinessUrl } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'));
      const path = '/.well-known/suuq-log/head';
      expect((await fetch(`${service.baseUrl}${path}`)).status).to.equal(404);
      expect((await fetch(`${readinessUrl}${path}`)).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  it('are complete after each kill while the tree is built', async () => {
    const large = join(folder.path, 'large');
    await foundInstallation(large);
    const store = await openEmbeddedEventStore(large, { mostBytes: 16_000_000 });
    const meta = { at: '2026-03-01T08:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
    for (let stream = 0; stream < 100; stream += 1)
      await store.append(
        `note-${stream}`,
        'noStream',
        Array.from({ length: 500 }, (_, i) => ({ id: uuidOf(`${stream} ${i}`), type: 'Noted', data: { i }, meta })),
      );
    await store.close();
    const of = commandLine(large, { timeout: 60_000 });
    const sizes: number[] = [];
    for (const ms of [450, 600]) {
      const child = spawn(process.execPath, [suuqCommand, 'audit', 'head'], {
        env: { ...process.env, ...EMBEDDED, SUUQ_DATA: large },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await pause(ms);
      child.kill('SIGKILL');
      await ended;
      const text = of.json('audit', 'verify') as Audited;
      expect(text.faults).to.deep.equal([]);
      expect(text.events).to.equal(50_000);
      sizes.push(text.inTree);
    }
    expect(of.json('audit', 'head').size).to.equal(50_000);
    expect(of.json('audit', 'verify')).to.include({ whole: true, inTree: 50_000 });
    // Changes one event among many, which two threads read.
    const db = openDatabase(join(large, 'events.db'));
    db.exec(`UPDATE events SET data = '{"i":7777}' WHERE position = 43210`);
    db.close();
    const { faults } = JSON.parse(of.suuq('audit', 'verify', '--json').stdout) as Audited;
    expect(faults[0]).to.include({ kind: 'changed', place: 'position 43210 (Noted, revision 210 of note-86)' });
    // Each run continued where the previous one was interrupted.
    expect([...sizes].sort((a, b) => a - b)).to.deep.equal(sizes);
  });
});
