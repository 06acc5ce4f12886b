/** The Go client's test reports why it does not run. Fake `go` commands simulate each case. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';

describe('the Go client for the tests of the protocol endpoint', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  let count = 0;

  /** Runs the preparation with a fake `go` command on the path. */
  function prepared(go: string) {
    const bin = join(folder.path, `bin-${++count}`);
    mkdirSync(bin);
    writeFileSync(join(bin, 'go'), `#!/bin/sh\n${go}\n`);
    chmodSync(join(bin, 'go'), 0o755);
    return ran(`${bin}${delimiter}${process.env.PATH}`);
  }

  function ran(path: string) {
    const script = join(projectFolder, 'test', 'clients', 'prepareGo.sh');
    const { status, stdout } = spawnSync('/bin/bash', [script, join(folder.path, 'client')], {
      env: { PATH: path },
      encoding: 'utf8',
    });
    return { status, last: stdout.trimEnd().split('\n').at(-1) };
  }

  it('is built if its module is available', () => {
    expect(prepared('exit 0')).to.deep.equal({ status: 0, last: '' });
  });

  it('is reported as missing, with the reason, if it is not', () => {
    const text = 'go: example.com/client/v4: dial tcp: lookup: no such host';
    const failing = `[ "$1" = build ] || { echo "go: downloading" >&2; echo "${text}" >&2; exit 1; }`;
    expect(prepared(failing)).to.deep.equal({ status: 3, last: `its module could not be had: ${text}` });
    expect(ran(folder.path)).to.deep.equal({ status: 3, last: 'go is not installed' });
  });

  it('fails the run if it does not compile', () => {
    expect(prepared('[ "$1" = mod ]').status).to.equal(1);
  });
});
