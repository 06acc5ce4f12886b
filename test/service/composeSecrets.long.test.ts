import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';

describe('the passwords of docker-compose.yml', () => {
  const folder = temporaryFolder('suuq-compose-');
  after(() => folder.remove());
  const file = join(folder.path, 'env');
  const made = (): string => {
    const ran = spawnSync('sh', [join(projectFolder, 'scripts/composeSecrets.sh'), file], { encoding: 'utf8' });
    expect([ran.status, ran.stdout, ran.stderr]).to.deep.equal([0, '', '']);
    return readFileSync(file, 'utf8');
  };

  it('are created once, each distinct, readable by their user only, and stay unchanged', () => {
    writeFileSync(file, 'OTHER=1\n', { mode: 0o644 });
    const first = made();
    const lines = first.trimEnd().split('\n');
    const values = new Map(lines.map((line) => line.split('=') as [string, string]));
    const compose = readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8');
    const used = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
    expect(lines[0]).to.equal('OTHER=1');
    expect([...values.keys()].sort()).to.deep.equal(['OTHER', ...used].sort());
    for (const name of used) expect(values.get(name), name).to.match(/^[0-9a-f]{48}$/);
    expect(new Set(values.values()).size).to.equal(used.size + 1);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(made()).to.equal(first);
  });
});
