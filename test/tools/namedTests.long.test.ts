/** Tests named on the command line run alone. Without a match nothing runs. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { projectFolder } from '../../harness/service/serviceProcess.js';

describe('tests given by name', () => {
  const mocha = (...args: string[]) => {
    const { SUUQ_TESTS: _, ...env } = process.env;
    const words = ['node_modules/mocha/bin/mocha.js', '--dry-run', '--jobs', '1', ...args];
    return spawnSync(process.execPath, words, { cwd: projectFolder, env, encoding: 'utf8', timeout: 30_000 });
  };

  it('run from the build, by a path to their source', () => {
    const { status, stdout } = mocha('test/service/layout.test.ts', '-g', 'narrow terminal');
    expect(status).to.equal(0);
    expect(stdout).to.match(/^ {2}1 passing/m);
  });

  it('do not become all tests if the name is wrong', () => {
    const { status, stdout, stderr } = mocha('test/service/layuot.test.ts');
    expect([status, stdout, stderr]).to.deep.equal([
      1,
      '',
      "No tests in 'test/service/layuot.test.ts': there is no such file.\n",
    ]);
  });
});
