/** `npm run keep-release`: stores a data folder under `test/releases/`, once per release, before it is tagged. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerPhoto } from '../../../cli/demo/chatSteps.js';
import { pay, promote } from '../../../cli/demo/paymentSteps.js';
import { signIn } from '../../../cli/demo/signIn.js';
import { type Stage, WebhookReceiver } from '../../../cli/demo/stage.js';
import { buy, cancel, createStore, fillCatalog, type Scene, settle } from '../../../cli/demo/story.js';
import { startService, temporaryFolder } from '../../../harness/service/serviceProcess.js';
import { release } from '../../../service/release.js';
import { commandLine } from '../stages/commandLine.js';
import { answersOf, KEPT_ENV, releasesFolder, type StoredRelease } from './keptRelease.js';

/** Files that belong to this machine or contain plain secrets. Opening the folder creates them again. */
const LEFT_OUT = ['demo.json', 'sandbox-keys.json', 'service.json', 'master.key', 'lock.db', 'admin.sock'];

const retained = join(releasesFolder, release.version);
if (existsSync(retained)) throw new Error(`${retained} is there already: what a release has left is not made again.`);
Object.assign(process.env, KEPT_ENV);
const folder = temporaryFolder('suuq-release-');
const data = join(folder.path, 'data');
const service = await startService(data, KEPT_ENV);
const receiver = new WebhookReceiver();
try {
  const stage = {
    keys: JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')),
    operator: (...words: string[]) => commandLine(data).suuq(...words).stdout,
  } as unknown as Stage;
  const print = (): void => undefined;
  const scene: Scene = { stage, receiver, print, ...(await createStore(stage, print)) };
  await fillCatalog(scene);
  await settle(scene);
  await promote(scene);
  await buy(scene);
  await cancel(scene);
  await pay(scene);
  await answerPhoto(scene, await signIn(scene));
  const answers = await answersOf(service, data, scene.workspaceId);
  await service.stop();
  for (const name of LEFT_OUT) rmSync(join(data, name), { force: true });
  mkdirSync(retained, { recursive: true });
  const file = join(retained, 'data.tar.gz');
  const anonymous = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  execFileSync('tar', ['-czf', file, ...anonymous, '-C', folder.path, 'data']);
  writeFileSync(
    join(retained, 'answers.json'),
    `${JSON.stringify({ workspaceId: scene.workspaceId, answers } satisfies StoredRelease, null, 2)}\n`,
  );
} finally {
  receiver.close();
  await service.kill();
  folder.remove();
}
