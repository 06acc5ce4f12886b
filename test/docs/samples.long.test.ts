/** The samples of the documentation are programs. Each is run, compiled, or type-checked. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { type OperationModel, readModel } from '../../site/document.js';
import { GUIDES } from '../../site/guides.js';
import { receiverSample } from '../../site/receiverSample.js';
import { type Language, samplesOf } from '../../site/samples/index.js';
import { phpLiteral } from '../../site/samples/literals.js';
import { SAMPLE_FILE, SAMPLE_KEY, sampleRequest } from '../../site/samples/request.js';
import { PIXEL } from '../support/conformance/areas/files.js';
import { prepareSending } from '../support/conformance/areas/inboxSending.js';
import { prepareSessions } from '../support/conformance/areas/sessions.js';
import { bodyOf, madeParams } from '../support/conformance/samples.js';
import { type ConformanceStage, conformanceStage, operationNamed, product } from '../support/conformance/stage.js';
import { pythonEnv } from '../support/tools/python.js';

const run = promisify(execFile);
const model = readModel();
const sampleOf = (one: OperationModel, language: Language): string =>
  samplesOf(one).find((sample) => sample.language === language)!.code;

/** Operations whose example bodies refer to things of a real store, such as a file, a template or a user's token. */
const OWN_BODY = [
  'createSDKSession',
  'createPartnerWebhookEndpoint',
  'createWebhookEndpoint',
  'createTemplate',
  'editTemplate',
  'previewTemplate',
  'sendMessage',
  'startConversation',
  'updatePartnerStoreMember',
  'setOrderStatus',
];

/** Returns true if a program is installed. Tests that need a missing program are skipped by name. */
const isThere = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words, { env: pythonEnv }).status === 0;

/** Sample texts that must be unique per request, by operation. */
const UNIQUE: Readonly<Record<string, string>> = {
  updateNumberList: 'Wholesale',
  updatePromotion: 'OPEN10',
  upsertProducts: 'dirac-indigo-',
};

describe('the samples of the documentation', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-samples-');
  let stage: ConformanceStage;
  before(async () => {
    stage = await conformanceStage();
    await prepareSending(stage);
    await prepareSessions(stage);
    for (const externalId of ['shirt', 'trousers', 'dirac-indigo'])
      await stage.call(operationNamed(operations, 'upsertProduct'), { params: { externalId }, body: product() });
    writeFileSync(join(folder.path, SAMPLE_FILE), PIXEL);
  });
  after(async () => {
    await stage.close();
    folder.remove();
  });

  /** Returns the sample with ids of existing things, and with the test's body if the sample's cannot be sent. */
  async function filled(one: OperationModel, code: string, unlike = 'another'): Promise<string> {
    const { params, body } = sampleRequest(one);
    const values: Record<string, string> = {
      ...(await madeParams(stage, one.operation)),
      ...('workspaceId' in params && { workspaceId: stage.main.store.workspaceId }),
    };
    let text = code;
    for (const [name, shown] of Object.entries(params)) text = text.replace(shown, encodeURIComponent(values[name]!));
    const unique = UNIQUE[one.id];
    if (unique !== undefined) text = text.replaceAll(unique, `${unlike}-${unique}`);
    if (!OWN_BODY.includes(one.id)) return text;
    const own = bodyOf(stage, one.operation);
    return text
      .replace(JSON.stringify(body, undefined, 2), () => JSON.stringify(own, undefined, 2))
      .replace(phpLiteral(body, '    '), () => phpLiteral(own, '    '));
  }

  const environment = async (): Promise<Record<string, string>> => {
    const create = operationNamed(operations, 'createSDKSession');
    const { body } = await stage.call(create, { key: null, body: bodyOf(stage, create) });
    return {
      PATH: process.env.PATH!,
      SUUQ_URL: stage.baseUrl,
      SUUQ_KEY: stage.main.store.key,
      SUUQ_PARTNER_KEY: stage.main.key,
      SUUQ_SESSION: body.token,
    };
  };

  for (const one of model.operations)
    it(`${one.id} runs in a shell`, async function () {
      if (!isThere('curl', '--version')) return this.skip();
      const code = await filled(one, sampleOf(one, 'bash'));
      const script = `curl() { command curl --fail-with-body -sS --max-time 20 "$@"; }\n${code}`;
      const { stdout } = await run('sh', ['-euc', script], { cwd: folder.path, env: await environment() }).catch(
        (error: { stdout: string; stderr: string }) => {
          throw new Error(`${error.stdout}\n${error.stderr}`);
        },
      );
      if (one.answers.every(({ schema }) => schema === undefined)) expect(stdout).to.equal('');
      else expect(() => JSON.parse(stdout)).not.to.throw();
    });

  it('run in PHP', async function () {
    if (!isThere('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);')) {
      this.test!.title += ' (no php with curl here)';
      return this.skip();
    }
    const env = await environment();
    const failed: string[] = [];
    for (const one of model.operations) {
      const file = join(folder.path, `${one.id}.php`);
      writeFileSync(file, (await filled(one, sampleOf(one, 'php'), 'php')).replace(SAMPLE_KEY, `php-${SAMPLE_KEY}`));
      const { stdout, stderr } = await run('php', [file], { cwd: folder.path, env, timeout: 20_000 });
      // The shell's sample has just created the same thing, so a `…_taken` refusal is correct here.
      const answered = /^20[0124]\n|^409\n.*"code":"[a-z_]+_taken"/.test(stdout);
      if (stderr !== '' || !answered) failed.push(`${one.id}: ${stderr}${stdout}`);
    }
    expect(failed).to.deep.equal([]);
  });

  it('in TypeScript match the client’s types', async () => {
    const place = join(folder.path, 'typescript');
    mkdirSync(place);
    for (const one of model.operations) writeFileSync(join(place, `${one.id}.ts`), sampleOf(one, 'typescript'));
    for (const { type } of model.events) writeFileSync(join(place, `${type}.ts`), receiverSample(type));
    symlinkSync(join(projectFolder, 'node_modules'), join(place, 'node_modules'));
    const compilerOptions = {
      ...{ target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext', strict: true, noEmit: true },
      ...{ skipLibCheck: true, moduleDetection: 'force', types: ['node'], lib: ['es2023', 'dom', 'dom.asynciterable'] },
      paths: { '@suuq/client': [join(projectFolder, 'client/src/index.ts')] },
    };
    writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(projectFolder, 'node_modules/.bin/tsc');
    const { status, stdout } = spawnSync(tsc, ['-p', place], { encoding: 'utf8', timeout: 120_000 });
    expect([status, stdout]).to.deep.equal([0, '']);
  });

  it('in Python compile', function () {
    if (!isThere('python3', '--version')) return this.skip();
    const place = join(folder.path, 'python');
    mkdirSync(place);
    for (const one of model.operations) writeFileSync(join(place, `${one.id}.py`), sampleOf(one, 'python'));
    for (const { slug, file } of GUIDES) {
      const blocks = readFileSync(join(projectFolder, file), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm);
      for (const [at, [, code]] of [...blocks].entries()) writeFileSync(join(place, `${slug}-${at}.py`), code!);
    }
    const compiled = spawnSync('python3', ['-m', 'compileall', '-q', place], { encoding: 'utf8', timeout: 120_000 });
    expect([compiled.status, compiled.stdout]).to.deep.equal([0, '']);
  });

  it('in Python run', async function () {
    if (!isThere('python3', '-c', 'import requests')) return this.skip();
    for (const id of ['createPromotion', 'listOrders', 'uploadFile', 'deleteProduct', 'listPartnerApiStores']) {
      const one = model.operations.find((other) => other.id === id)!;
      const options = { cwd: folder.path, env: { ...pythonEnv, ...(await environment()) } };
      const { stdout } = await run('python3', ['-c', await filled(one, sampleOf(one, 'python'))], options);
      expect(stdout, id).not.to.equal('');
    }
  });

  it('in Go compile, and run', async function () {
    if (!isThere('go', 'version')) return this.skip();
    for (const id of ['createPromotion', 'listOrders', 'uploadFile', 'getFile', 'deleteProduct']) {
      const one = model.operations.find((other) => other.id === id)!;
      const file = join(folder.path, `${id}.go`);
      writeFileSync(file, await filled(one, sampleOf(one, 'go')));
      const env = { ...process.env, ...(await environment()), GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
      const { stdout } = await run('go', ['run', file], { cwd: folder.path, env, timeout: 150_000 });
      if (id !== 'getFile') expect(stdout, id).to.match(/^20[014] /);
    }
    // The formatter parses every sample and finds nothing to change.
    const place = join(folder.path, 'go');
    mkdirSync(place);
    for (const one of model.operations) writeFileSync(join(place, `${one.id}.go`), sampleOf(one, 'go'));
    const formatted = spawnSync('gofmt', ['-l', place], { encoding: 'utf8' });
    expect([formatted.stderr, formatted.stdout]).to.deep.equal(['', '']);
  });
});
