/** `scripts/watch.mjs`, which `npm run dev` and `npm run test:watch` use, on a package of one file. */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { until } from '../support/tools/until.js';

describe('a watched command', () => {
  const folder = temporaryFolder('suuq-watch-');
  after(() => folder.remove());

  const write = (text: string) => writeFileSync(join(folder.path, 'source/main.ts'), text);
  const program = (name: string, end = '') =>
    `process.once('SIGTERM', () => { console.log('${name} ends'); process.exit(0); });\nconsole.log('${name} starts');\n${end || 'setInterval(() => {}, 60_000)'};\n`;

  it('restarts after a change that compiles, and keeps running otherwise', async () => {
    mkdirSync(join(folder.path, 'source'));
    symlinkSync(join(projectFolder, 'node_modules'), join(folder.path, 'node_modules'), 'dir');
    writeFileSync(
      join(folder.path, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          types: ['node'],
          skipLibCheck: true,
          outDir: 'dist',
          rootDir: '.',
        },
        include: ['source'],
      }),
    );
    write(program('first'));
    mkdirSync(join(folder.path, 'dist/source'), { recursive: true });
    writeFileSync(join(folder.path, 'dist/source/main.js'), program('first'));

    const script = join(projectFolder, 'scripts/watch.mjs');
    const watching = spawn(process.execPath, [script, process.execPath, 'dist/source/main.js'], { cwd: folder.path });
    let output = '';
    watching.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const seen = (text: string) => until(text, () => output.includes(text));
    try {
      await seen('first starts\n');
      write(`${program('second')}const n: number = 'text';\n`);
      await seen('error TS2322');
      write(program('third', 'process.exitCode = 3; process.exit()'));
      await seen('[watch] ended with 3; waiting for a change\n');
      write(program('fourth'));
      await seen('fourth starts\n');
    } finally {
      watching.kill('SIGTERM');
    }
    await seen('fourth ends\n');
    expect(output).to.not.include('second starts');
    expect(output.match(/\w+ (starts|ends)/g)).to.deep.equal([
      'first starts',
      'first ends',
      'third starts',
      'fourth starts',
      'fourth ends',
    ]);
  });

  it('is required', async () => {
    const nothing = spawn(process.execPath, [join(projectFolder, 'scripts/watch.mjs')], { cwd: folder.path });
    const code = await new Promise((resolve) => nothing.on('exit', resolve));
    expect(code).to.equal(1);
  });
});
