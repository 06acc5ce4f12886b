import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { mp3, wav } from '../support/samples/soundFiles.js';
import { commandLine } from '../support/stages/commandLine.js';

describe('command line, recordings', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-recordings-');
  const data = join(folder.path, 'data');
  const sounds = join(folder.path, 'sounds');
  let service: ServiceProcess;
  let workspace: string;
  before(async () => {
    mkdirSync(sounds);
    service = await startService(data);
    workspace = readDemo(data).store.workspaceId;
    writeFileSync(join(sounds, 'welcome.mp3'), mp3(3));
    writeFileSync(join(sounds, 'closed.wav'), wav(2));
    writeFileSync(join(sounds, 'text.wav'), 'Welcome to our shop');
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  /** Typed in the folder with the sounds, so that names of files are relative. */
  const typed = commandLine(data, { cwd: sounds, timeout: 60_000 });
  const suuq = (...args: string[]) => typed.suuq('admin', 'recordings', ...args, '--workspace', workspace);
  const json = (...args: string[]) => typed.json('admin', 'recordings', ...args, '--workspace', workspace);
  const outcome = ({ status, stderr }: ReturnType<typeof suuq>) => [status, stderr.split(':')[0]];

  const add = () => json('add', 'welcome.mp3', '--name', 'Welcome', '--kind', 'greeting', '--language', 'so');

  let retained: string;
  it('adds, replaces, renames, saves and removes them while the service runs', () => {
    const made = add();
    expect(made).to.include({ workspaceId: workspace, name: 'Welcome', status: 'ready' });
    const { recordings } = json('list');
    expect(recordings.at(-1)).to.include({ id: made.id, language: 'so', createdBy: 'operator', status: 'ready' });
    const [closed] = recordings;
    expect(suuq('add', 'closed.wav', '--replace', closed.id).stdout).to.match(/^Recording .+ \(2\.0 s\): /);
    const failed = suuq('add', 'text.wav', '--replace', made.id);
    expect(failed.stdout).to.include('Its file cannot be played: The file is not a supported sound file');
    expect(json('rename', '--id', made.id, '--name', 'Hello')).to.include({ name: 'Hello' });
    const saved = `${made.id}.mp3`;
    expect(json('save', saved, '--id', made.id)).to.include({ file: join(sounds, saved) });
    expect(readFileSync(join(sounds, saved)).equals(mp3(3))).to.equal(true);
    expect(suuq('list').stdout).to.match(new RegExp(`${made.id} +greeting +so +uploaded +failed +3\\.0 s +0 +Hello`));
    retained = made.id;
  });

  it('reports errors in a file, and what cannot be removed', () => {
    expect(outcome(suuq('add', 'none.wav', '--name', 'N', '--kind', 'hold'))).to.deep.equal([1, 'file_not_readable']);
    expect(outcome(suuq('add', 'closed.wav', '--kind', 'hold'))).to.deep.equal([1, 'validation_failed']);
    expect(outcome(suuq('add', '--name', 'N', '--kind', 'hold'))).to.deep.equal([2, 'suuq']);
    expect(outcome(suuq('save', 'closed.wav', '--id', retained))).to.deep.equal([1, 'file_not_writable']);
    const { id } = json('list').recordings[0];
    expect(outcome(suuq('remove', '--id', id))).to.deep.equal([1, 'default_recording']);
  });

  it('does the same on the data folder alone, and finds what the service stored', async () => {
    await service.stop();
    const { id } = add();
    const listed = json('list').recordings.map((one: { id: string }) => one.id);
    expect(listed.slice(-2)).to.deep.equal([retained, id]);
    const saved = `${retained}.again.mp3`;
    expect(json('save', saved, '--id', retained)).to.include({ size: mp3(3).length });
    expect(readFileSync(join(sounds, saved)).equals(mp3(3))).to.equal(true);
    expect(json('remove', '--id', retained)).to.deep.equal({ workspaceId: workspace, id: retained, removed: true });
    expect(outcome(suuq('remove', '--id', retained))).to.deep.equal([1, 'not_found']);
  });
});
