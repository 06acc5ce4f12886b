/** Teams and recordings are two streams: their shared invariants at each step, and recovery after a stop. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AudioReader } from '../../application/ports/audioReader.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import { removeRecording } from '../../application/recordings/recordings.js';
import { recordingsProcessor } from '../../application/recordings/recordingsProcessor.js';
import { fileName, SETTLED_MS, type SoundTools, storeAndRead } from '../../application/recordings/recordingUploads.js';
import { withRecordings } from '../../application/recordings/recordingUses.js';
import { addMember } from '../../domain/access/memberChanges.js';
import { members } from '../../domain/access/members.js';
import { putTeam, removeTeam } from '../../domain/access/teams.js';
import { addRecording, replaceAudio } from '../../domain/channel/recordingChanges.js';
import { IN_FLIGHT_MS, recordings } from '../../domain/channel/recordings.js';
import { derivedId } from '../../domain/ids.js';
import { type BoundCommands, bindCommands } from '../../engine/commandHandler/boundCommands.js';
import { createAudioReader } from '../../infrastructure/audio/audioReader.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import { until } from '../support/doubles/fakeClock.js';
import { wav } from '../support/samples/soundFiles.js';
import { ASHA, teamTerms } from '../support/spec/people.js';
import { MOMENT_MS, type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const TUNE = 'e0000000-0000-4000-8000-000000000001';
const DOOR = 'd0000000-0000-4000-8000-000000000001';

describe('recordings used by teams', () => {
  let stage: ProcessorStage;
  let commands: BoundCommands;
  let folder: string;
  let fileStore: FileStore;
  let audio: AudioReader;
  let troubles: unknown[];
  let tools: SoundTools;
  let count = 0;

  beforeEach(async () => {
    stage = await processorStage({ withCommands: true });
    folder = await mkdtemp(join(tmpdir(), 'suuq-recordings-'));
    fileStore = await openFolderFiles({ folder, alone: true });
    audio = createAudioReader();
    troubles = [];
    tools = { fileStore, audio, trouble: (error) => troubles.push(error) };
    const actor = { type: 'system' } as const;
    // Each command needs a unique id.
    const next: BoundCommands = {
      decide: (aggregate, id, decision) =>
        bindCommands(stage.commands, {
          commandId: derivedId('test', count++),
          actor,
          correlationId: 'test',
          workspaceId: SHOP,
        }).decide(aggregate, id, decision),
      query: (aggregate, id, read) => stage.commands.query(aggregate, id, read),
    };
    commands = next;
    await commands.decide(members, SHOP, addMember(ASHA, { most: undefined }));
    await commands.decide(
      recordings,
      SHOP,
      addRecording(TUNE, { name: 'Tune', kind: 'hold' }, upload('u1'), undefined),
    );
  });
  afterEach(async () => {
    await stage.close();
    await audio.close();
    await fileStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = (uploadId: string) => ({ uploadId, size: 1_000 });
  const place = (uploadId: string) => ({ workspaceId: SHOP, recordingId: TUNE, uploadId });
  async function* bytes(of: Uint8Array): AsyncGenerator<Uint8Array> {
    yield of;
  }
  const remove = () =>
    removeRecording({ commands, workspaceId: SHOP, now: stage.clock.now(), newId: () => randomUUID() }, TUNE);
  const codeOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'done',
      (error) => error.code ?? error.message,
    );
  const terms = { ...teamTerms('Door', [{ memberId: ASHA.memberId }]) };
  const queue = { ...terms.queue, holdRecordingId: TUNE };
  const use = () => commands.decide(members, SHOP, putTeam({ ...terms, queue }, DOOR));
  const taking = <R>(make: () => Promise<R>, attempt = randomUUID()): Promise<R> =>
    withRecordings({ commands, workspaceId: SHOP, by: DOOR, attempt }, queue, make);

  it('one that a team is about to use is not removed, until the team gives it up', async () => {
    const refusals: string[] = [];
    const given = await codeOf(
      taking(async () => {
        refusals.push(await codeOf(remove()));
        throw new Error('the name is taken');
      }),
    );
    expect([given, refusals]).to.deep.equal(['the name is taken', ['recording_in_use']]);
    expect(await codeOf(remove())).to.equal('done');
    expect(await codeOf(taking(use))).to.equal('validation_failed');
  });

  it('one that a team uses is not removed until the team has another or is deleted', async () => {
    await taking(use);
    expect(await codeOf(remove())).to.equal('recording_in_use');
    await commands.decide(members, SHOP, removeTeam(DOOR));
    expect(await codeOf(remove())).to.equal('done');
  });

  it('an interrupted change reserves it for a minute', async () => {
    void taking(() => new Promise(() => undefined));
    await until('the recording is reserved', async () => (await codeOf(remove())) === 'recording_in_use');
    await stage.clock.advance(IN_FLIGHT_MS);
    expect(await codeOf(remove())).to.equal('recording_in_use');
    await stage.clock.advance(1);
    expect(await codeOf(remove())).to.equal('done');
  });

  it('a team that reserves it between the check and the removal is detected', async () => {
    let between: (() => Promise<unknown>) | undefined = () => taking(use);
    const interrupted: BoundCommands = {
      ...commands,
      async query(aggregate, id, read) {
        const seen = await commands.query(aggregate, id, read);
        if (aggregate.name !== 'members' || between === undefined) return seen;
        const run = between;
        between = undefined;
        await run();
        return seen;
      },
    };
    const removal = removeRecording(
      { commands: interrupted, workspaceId: SHOP, now: stage.clock.now(), newId: () => randomUUID() },
      TUNE,
    );
    expect(await codeOf(removal)).to.equal('recording_in_use');
    expect(between, 'the team came between').to.equal(undefined);
    expect(await commands.query(recordings, SHOP, ({ all }) => all.has(TUNE))).to.equal(true);
  });

  const statusOf = () =>
    commands.query(recordings, SHOP, ({ all }) => {
      const { processing, playing } = all.get(TUNE)!;
      return processing === undefined ? (playing ?? 'failed') : 'processing';
    });
  /** Waits for this number of pending tasks. Timers are stored shortly after they are set. */
  const pending = async (tasks: number): Promise<void> => {
    await stage.clock.advance(MOMENT_MS);
    await until(`${tasks} tasks are pending`, async () => (await stage.pending('recordings')) === tasks);
  };
  const isThere = async (uploadId: string): Promise<boolean> => {
    const found = await fileStore.read(fileName(place(uploadId)));
    found?.content.destroy();
    return found !== undefined;
  };
  const lastFailure = async () => {
    const all = await stage.eventStore.readStream(`recordings-${SHOP}`);
    return all.filter(({ type }) => type === 'RecordingFailed').map(({ data }) => (data as { code: string }).code);
  };

  it('an upload that was complete before a stop is processed after it', async () => {
    await fileStore.put(fileName(place('u1')), bytes(wav(2)), { mostBytes: 100_000 });
    await stage.start(recordingsProcessor(tools));
    await pending(1);
    await stage.clock.advance(SETTLED_MS - MOMENT_MS - 1);
    expect(await statusOf(), 'whoever uploads has time').to.equal('processing');
    await stage.clock.advance(1);
    await until('the upload is ready', async () => (await statusOf()) === 'u1');
    await until('nothing is pending', async () => (await stage.pending('recordings')) === 0);
  });

  it('an upload without its file fails', async () => {
    await stage.start(recordingsProcessor(tools));
    await pending(1);
    await stage.clock.advance(SETTLED_MS);
    await until('the upload has failed', async () => (await statusOf()) === 'failed');
    expect(await lastFailure()).to.deep.equal(['processing_error']);
  });

  it('files that calls no longer play are removed, also if the file store is unavailable at first', async () => {
    await storeAndRead(tools, commands, place('u1'), bytes(wav(2)));
    await commands.decide(recordings, SHOP, replaceAudio({ recordingId: TUNE }, upload('u2')));
    await storeAndRead(tools, commands, place('u2'), bytes(wav(3)));
    expect([await statusOf(), await isThere('u1'), await isThere('u2')]).to.deep.equal(['u2', true, true]);
    let away = true;
    const flaky: FileStore = {
      ...fileStore,
      remove: (name) => (away ? Promise.reject(new Error('the bucket is away')) : fileStore.remove(name)),
    };
    await stage.start(recordingsProcessor({ ...tools, fileStore: flaky }));
    await pending(3);
    await stage.clock.advance(SETTLED_MS);
    await pending(1);
    expect(await isThere('u1')).to.equal(true);
    away = false;
    await stage.clock.advance(70_000);
    await until('nothing is pending', async () => (await stage.pending('recordings')) === 0);
    expect([await isThere('u1'), await isThere('u2')]).to.deep.equal([false, true]);
    await remove();
    await pending(1);
    await stage.clock.advance(SETTLED_MS);
    await until('the file is deleted', async () => !(await isThere('u2')));
  });

  it('an unusable file, or one replaced in the meantime, is not stored', async () => {
    await storeAndRead(tools, commands, place('u1'), bytes(Buffer.from('no sound')));
    expect([await statusOf(), await isThere('u1')]).to.deep.equal(['failed', false]);
    await commands.decide(recordings, SHOP, replaceAudio({ recordingId: TUNE }, upload('u2')));
    await commands.decide(recordings, SHOP, replaceAudio({ recordingId: TUNE }, upload('u3')));
    expect(await storeAndRead(tools, commands, place('u2'), bytes(wav(2)))).to.equal(undefined);
    expect([await statusOf(), await isThere('u2')]).to.deep.equal(['processing', false]);
    await storeAndRead(tools, commands, place('u3'), bytes(wav(2)));
    expect(await statusOf()).to.equal('u3');
  });

  it('an aborted source, or an unavailable file store, fails the upload and keeps the previous file', async () => {
    await storeAndRead(tools, commands, place('u1'), bytes(wav(2)));
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield wav(1);
      throw new Error('the disk is gone');
    }
    await commands.decide(recordings, SHOP, replaceAudio({ recordingId: TUNE }, upload('u2')));
    expect(await storeAndRead(tools, commands, place('u2'), broken())).to.include({ code: 'processing_error' });
    const away: FileStore = { ...fileStore, read: () => Promise.reject(new Error('the bucket is away')) };
    await commands.decide(recordings, SHOP, replaceAudio({ recordingId: TUNE }, upload('u3')));
    const outcome = await storeAndRead({ ...tools, fileStore: away }, commands, place('u3'), bytes(wav(2)));
    expect(outcome).to.include({ code: 'processing_error' });
    expect(await statusOf()).to.equal('u1');
    expect(troubles.map(String)).to.deep.equal(['Error: the disk is gone', 'Error: the bucket is away']);
    expect([await isThere('u1'), await isThere('u2'), await isThere('u3')]).to.deep.equal([true, false, false]);
  });
});
