/**
 * Follows the guides to the letter in a copy of the project. The resulting code compiles, passes the linter, and passes
 * its own tests and the tests of every operation and projection.
 */
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { follow, stepsOf } from '../support/tools/guide.js';

/** Folders that are not part of the project, or too large to copy. */
const LEFT = new Set(['node_modules', '.git', 'data']);
const GUIDES = ['docs/guides/add-a-projection.md', 'docs/guides/add-an-operation.md'];

interface Results {
  readonly passes: readonly { readonly fullTitle: string }[];
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[];
}

describe('the guides', function () {
  this.timeout(300_000);
  let copy: ReturnType<typeof temporaryFolder>;
  const written = GUIDES.flatMap((guide) => stepsOf(readFileSync(join(projectFolder, guide), 'utf8')));
  const files = [...new Set(written.map(({ file }) => file))];

  /** Resolves with the tool's output. Rejects with the output if the tool fails. */
  const run = (tool: string, ...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const path = join(copy.path, 'node_modules/.bin', tool);
      execFile(path, args, { cwd: copy.path, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${tool}: ${stdout.slice(-4000)}${stderr.slice(-4000)}`)),
      );
    });

  before(async () => {
    copy = temporaryFolder('suuq-guides-');
    for (const name of readdirSync(projectFolder).filter((one) => !LEFT.has(one)))
      cpSync(join(projectFolder, name), join(copy.path, name), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(copy.path, 'node_modules'));
    for (const step of written) follow(copy.path, step);
    await run('tsc', '-p', 'tsconfig.json');
    await script('dist/test/support/events/record.js');
    await script('dist/test/support/generators/fingerprints.js');
    await run('tsc', '-p', 'tsconfig.json');
  });
  after(() => copy.remove());

  const script = (file: string): Promise<void> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, [file], { cwd: copy.path }, (error) => (error === null ? resolve() : reject(error)));
    });

  it('assign each block of code to a file', () => {
    for (const guide of GUIDES) {
      const page = readFileSync(join(projectFolder, guide), 'utf8');
      expect(() => stepsOf(page.replace('`projections/index.ts`, after', 'After'))).to.throw('name no file');
    }
    expect(() => follow(copy.path, written[0]!)).to.throw('is there already');
    const nowhere = { file: 'api/operations/index.ts', after: 'no such line', code: '' };
    expect(() => follow(copy.path, nowhere)).to.throw("has 0 lines 'no such line'");
  });

  it('pass the linter', async () => {
    await run('biome', 'check', '--error-on-warnings', ...files, 'projections');
    const folders = ['domain', 'engine', 'projections', 'api', 'service', 'upkeep', 'cli'];
    await run(
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      ...folders,
      ...files.filter((one) => /^test/.test(one)),
    );
  });

  it('pass their own tests, and those of every operation and every projection', async () => {
    const named = [
      'api/conformance.long',
      'api/conformance.document.long',
      'api/openapiService.long',
      'api/openapiTools',
      'projections/handlers',
      'events/events.long',
      'api/operationFiles',
      'package/exports.long',
    ];
    const own = files.filter((one) => one.endsWith('.test.ts')).map((one) => `dist/${one.replace(/ts$/, 'js')}`);
    const output = join(copy.path, 'results.json');
    const titles =
      'CustomerNote|about a customer|best sellers|OpenAPI document|recorded fingerprints|stored events|files of the operations|names every shape';
    const options = ['--grep', titles, '--reporter', 'json', '--reporter-option', `output=${output}`];
    await run('mocha', ...own, ...named.map((one) => `dist/test/${one}.test.js`), ...options).catch(() => undefined);
    const { passes, failures } = JSON.parse(readFileSync(output, 'utf8')) as Results;
    expect(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`)).to.deep.equal([]);
    expect(passes.map(({ fullTitle }) => fullTitle)).to.include.members([
      'best sellers subtract a cancelled order once',
      'notes about a customer are at most 100',
      'notes about a customer over HTTP are listed for their customer',
      'every operation addCustomerNote reaches nothing that belongs to others',
      'every operation addCustomerNote answers as declared, with each of its statuses',
      "every operation getCustomerNote answers 404 for another owner's resource",
      'every operation getCustomerNote answers as declared, with each of its statuses',
      'every operation listCustomerNotes requires its scope',
      'every operation listCustomerNotes returns its list in pages',
      'the OpenAPI document and the specification have the same operations; any additional one gives its reason',
      'the recorded fingerprints are those of the current projections',
      'the files of the operations hold one operation each, and are named after it',
      'the package names every shape of the API’s document among its types',
      'stored events have kept their shapes',
      'stored events are declared with a schema, all of them',
    ]);
  });
});
