/** The command in shells: what bash completes, and a reader that has seen enough. */
import { spawn, spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { EMBEDDED, suuqCommand } from '../support/serviceProcess.js';

const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: '/nonexistent' };
const script = (shell: string): string =>
  spawnSync(process.execPath, [suuqCommand, 'completion', shell], { env, encoding: 'utf8' }).stdout;

/** What bash offers for the last of these words. */
function completed(source: string, ...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const asked = `${source}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _suuq; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' });
  expect(ran.stderr).to.equal('');
  return ran.stdout.trim().split('\n');
}

describe('completion in a shell', function () {
  this.timeout(90_000);

  it('offers words, options and values in bash', () => {
    const source = script('bash');
    expect(completed(source, 'suuq', 'do')).to.deep.equal(['doctor']);
    expect(completed(source, 'suuq', 'admin', 'keys', '')).to.have.members(['create', 'revoke', 'list']);
    expect(completed(source, 'suuq', 'trigger', 'order.p')).to.deep.equal(['order.paid', 'order.payment_failed']);
    expect(completed(source, 'suuq', 'api', 'listOrders')).to.deep.equal(['listOrders']);
    expect(completed(source, 'suuq', 'open', 'd')).to.deep.equal(['docs']);
    expect(completed(source, 'suuq', 'admin', 'keys', 'create', '--mo')).to.deep.equal(['--mode']);
    expect(completed(source, 'suuq', 'admin', 'keys', 'create', '--mode', '')).to.have.members(['live', 'test']);
  });

  for (const shell of ['zsh', 'fish'])
    it(`is a script that ${shell} takes`, function () {
      const source = script(shell);
      expect(source).to.include('doctor');
      const ran = spawnSync(shell, ['-n'], { input: source, encoding: 'utf8' });
      if (ran.error !== undefined) {
        this.test!.title += ` (no ${shell} here)`;
        return this.skip();
      }
      expect([ran.status, ran.stderr]).to.deep.equal([0, '']);
    });
});

describe('output into a closed pipe', function () {
  this.timeout(90_000);

  it('ends without a word', async () => {
    const child = spawn(process.execPath, [suuqCommand, 'completion', 'bash'], { env });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, said]).to.deep.equal([0, '']);
  });
});
