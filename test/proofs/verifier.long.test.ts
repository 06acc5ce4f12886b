/** The separate verifier, in Python: it takes what the service gives, and nothing that was changed by a single byte. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newKey, signHead } from '../../engine/proofs/treeHead.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';
import { openProofs, type ProofsStage, proofsStage } from '../support/stages/proofsStage.js';
import { missingPython, python } from '../support/tools/python.js';

const VERIFIER = join(projectFolder, 'tools/verifier/suuq_verify.py');
const EVERY_BYTE = join(projectFolder, 'test/proofs/everyByte.py');
const missing = missingPython();

describe(`the verifier in Python${missing === undefined ? '' : ` (skipped: ${missing})`}`, function () {
  this.timeout(120_000);
  let stage: ProofsStage;
  const files: Record<string, string> = {};
  const store = (name: string, content: object): void => {
    files[name] = join(stage.folder, `${name}.json`);
    writeFileSync(files[name]!, `${JSON.stringify(content)}\n`);
  };
  let publicKey: string;

  before(async function () {
    if (missing !== undefined) this.skip();
    stage = await proofsStage(30, 10);
    const opened = await openProofs(stage.folder);
    store('order', await opened.proofs.bundle('order-o3'));
    store('linked', await opened.proofs.consistency(30, 90));
    const early = await opened.proofs.head(30);
    store('early', early);
    const { keyId, privateKey, publicKey: other } = newKey();
    const bundle = await opened.proofs.bundle('order-o3');
    const head = signHead({ ...bundle.head, keyId }, privateKey);
    store('foreign', { ...bundle, head, keys: [{ keyId, publicKey: other }] });
    store('posed', { ...bundle, head: { ...head, keyId: bundle.head.keyId } });
    store('short', { ...bundle, events: bundle.events.slice(1) });
    store('none', { ...bundle, events: [] });
    store('turned', { ...bundle, events: bundle.events.toReversed() });
    const time = '2025-03-01T10:00:00.000Z';
    const { size, rootHash } = bundle.head;
    const [before, after] = [
      { size, rootHash: 'a'.repeat(64) },
      { size, rootHash },
    ];
    const stated = await opened.proofs.keys.state({ from: before, to: after, reopens: true, time });
    store('before', await opened.proofs.keys.sign({ ...before, time }));
    store('moved', { moves: [stated] });
    store('otherwise', { moves: [{ ...stated, from: { ...before, rootHash: 'b'.repeat(64) } }] });
    publicKey = (await opened.proofs.publicKeys())[0]!.publicKey;
    await opened.close();
  });
  after(() => stage?.remove());

  const verified = (name: string, ...options: readonly string[]) =>
    spawnSync(python, [VERIFIER, files[name]!, ...options], { encoding: 'utf8' });

  const expectHolds = (name: string, ...options: readonly string[]): string => {
    const { status, stdout, stderr } = verified(name, ...options);
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  const expectRefused = (why: string, name: string, ...options: readonly string[]): void => {
    const { status, stderr } = verified(name, ...options);
    expect(stderr).to.include(why);
    expect(status).to.equal(1);
  };

  it('accepts a bundle and a consistency proof', () => {
    expect(expectHolds('order')).to.include('3 events of order-o3 hold').and.to.include('No key was named');
    expect(expectHolds('order', '--key', publicKey)).to.not.include('No key was named');
    expect(expectHolds('linked', '--key', publicKey)).to.include('the two heads are of one log');
  });

  it('checks a bundle against a stored head', () => {
    expect(expectHolds('order', '--key', publicKey, '--head', files.early!, '--consistency', files.linked!)).to.include(
      'and it is of the log of the head of 30 events that was kept',
    );
    expectRefused('nothing shows that it is of the log of the kept head', 'order', '--head', files.early!);
  });

  it('checks a bundle against a head from before its log was encrypted by a move, with the signed statement', () => {
    expect(expectHolds('order', '--key', publicKey, '--head', files.before!, '--moved', files.moved!)).to.include(
      'by the word of who signed its move, of what became of the log of the head of',
    );
    expectRefused('nothing shows that it is of the log of the kept head', 'order', '--head', files.before!);
    expectRefused("the move's signature does not hold", 'order', '--head', files.before!, '--moved', files.otherwise!);
  });

  it('rejects bundles that are signed with another key, incomplete or reordered', () => {
    expectHolds('foreign');
    expectRefused('which is not trusted', 'foreign', '--key', publicKey);
    expectRefused("the head's signature does not hold", 'posed');
    expectRefused('event 0 is missing, or stands elsewhere', 'short');
    expectRefused('there is no event in it', 'none');
    expectRefused('event 0 is missing, or stands elsewhere', 'turned');
  });

  it('rejects invalid bundles', () => {
    for (const content of ['', '[]', '7', '{"format":"suuq-proof-2"}', '['.repeat(100_000), '{"a":NaN}', '\u00e9']) {
      files.odd = join(stage.folder, 'odd.json');
      writeFileSync(files.odd, content, 'latin1');
      expectRefused('refused: ', 'odd');
    }
  });

  it('rejects a bundle with any one byte changed', () => {
    const ran = spawnSync(python, [EVERY_BYTE, VERIFIER, files.order!, files.linked!], { encoding: 'utf8' });
    expect(ran.stderr).to.equal('');
    expect(Number(ran.stdout)).to.be.above(15_000);
  });
});
