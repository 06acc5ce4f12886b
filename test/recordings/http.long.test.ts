/** Recordings as the operator puts them and the API shows them, in the running service. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { chime } from '../../domain/channel/chime.js';
import type { Body } from '../support/conformance/answers.js';
import { type ConformanceStage, conformanceStage, operationNamed, type Store } from '../support/conformance/stage.js';
import { mp3, ogg, wav } from '../support/samples/soundFiles.js';

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const QUEUE = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 300, secondsPerPerson: 20 };

describe('recordings over HTTP', () => {
  let stage: ConformanceStage;
  let folder: string;
  let count = 0;
  before(async () => {
    stage = await conformanceStage();
    folder = join(stage.folder, 'sounds');
    mkdirSync(folder);
  });
  after(() => stage.close());

  const newStore = (): Promise<Store> => stage.addStore(stage.main, `sounds-${++count}`);
  const fileOf = (bytes: Uint8Array, name = `sound-${++count}.wav`): string => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  const put = (store: Store, bytes: Uint8Array, more: object = {}): Promise<Body> =>
    stage.operator('recordings.put', {
      workspace: store.workspaceId,
      file: fileOf(bytes),
      ...('replace' in more ? {} : { name: 'Welcome', kind: 'greeting' }),
      ...more,
    });
  const refusal = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (body) => `not refused: ${JSON.stringify(body)}`,
      (error) => error.code,
    );
  const list = async (store: Store): Promise<Body> =>
    (await stage.call(operationNamed(operations, 'listRecordings'), {}, store)).body;
  const get = (store: Store, recordingId: string) =>
    stage.call(operationNamed(operations, 'getRecording'), { params: { recordingId } }, store);
  const shown = async (store: Store, id: string): Promise<Body> => (await get(store, id)).body;
  const remove = (store: Store, id: string) =>
    stage.operator('recordings.remove', { workspace: store.workspaceId, id });
  const member = async (store: Store): Promise<string> =>
    (
      await stage.operator('members.add', {
        workspace: store.workspaceId,
        email: `m${++count}@example.com`,
        role: 'owner',
        status: 'active',
      })
    ).id;
  const putTeam = (store: Store, name: string, memberId: string, queue: object): Promise<Body> => {
    const team = { name, color: 'chart-2', members: [{ memberId }], workingHours: null };
    return stage.operator('teams.put', {
      workspace: store.workspaceId,
      team: { ...team, queue: { ...QUEUE, ...queue } },
    });
  };

  it('start with a default for each kind and language, which do not count', async () => {
    const store = await newStore();
    const { recordings, ...counted } = await list(store);
    expect(counted).to.deep.equal({ count: 0, limit: 0, unlimited: true });
    expect(recordings.map((one: Body) => [one.kind, one.language])).to.deep.equal([
      ...['fallback_closed', 'fallback_prayer', 'fallback_missed'].flatMap((kind) =>
        ['en', 'so', 'ar'].map((language) => [kind, language]),
      ),
      ['hold', undefined],
    ]);
    for (const one of recordings)
      expect(one).to.include({
        source: 'default',
        status: 'ready',
        playable: true,
        isDefault: true,
        durationMs: 2_000,
      });
    expect(await shown(store, recordings[4].id)).to.deep.equal(recordings[4]);
    expect(await refusal(remove(store, recordings[4].id))).to.equal('default_recording');
    const other = await list(stage.rival.store);
    expect(other.recordings[0].id).not.to.equal(recordings[0].id);
  });

  it('show a new one with its actual type, whatever its name', async () => {
    const store = await newStore();
    const bytes = ogg(3);
    const made = await put(store, bytes, { file: fileOf(bytes, 'lying.mp3'), name: ' Welcome ', language: 'so' });
    expect(made).to.deep.include({ name: 'Welcome', status: 'ready', durationMs: 3_000 });
    const { body } = await get(store, made.id);
    expect(body).to.deep.include({ kind: 'greeting', language: 'so', source: 'uploaded', status: 'ready' });
    expect(body).to.deep.include({ playable: true, isDefault: false, size: bytes.length, uses: [] });
    expect(body.createdBy).to.equal('operator');
    const { recordings, count: counted } = await list(store);
    expect([recordings.length, recordings[10], counted]).to.deep.equal([11, body, 1]);
    expect((await get(stage.rival.store, made.id)).status).to.equal(404);
    expect((await get(store, made.id.toUpperCase())).body.id).to.equal(made.id);
  });

  it('keep one with an unusable file, and show the reason', async () => {
    const store = await newStore();
    const cases: [string, Uint8Array, object][] = [
      ['too_short', wav(0.9), {}],
      ['too_long', wav(301, { rate: 1_000 }), {}],
      ['too_long', wav(601, { rate: 1_000 }), { kind: 'hold' }],
      ['unreadable', Buffer.from('no sound at all'), {}],
      ['unreadable', mp3(1, { declaredFrames: 140_000 }), {}],
    ];
    for (const [failureCode, bytes, more] of cases) {
      const made = await put(store, bytes, more);
      expect(made).to.include({ status: 'failed', failureCode });
      const body = await shown(store, made.id);
      expect(body).to.include({ status: 'failed', playable: false, failureCode, failureReason: made.failureReason });
      expect(body).not.to.have.any.keys('durationMs', 'size');
    }
    expect(await put(store, wav(301, { rate: 1_000 }), { kind: 'hold' })).to.include({ status: 'ready' });
    expect((await list(store)).count).to.equal(6);
  });

  it('play the previous file until a replacement is ready', async () => {
    const store = await newStore();
    const first = wav(2);
    const { id } = await put(store, first);
    const before = await shown(store, id);
    const failed = await put(store, wav(0.2), { replace: id });
    expect(failed).to.include({ id, status: 'failed', failureCode: 'too_short' });
    const { updatedAt: _, failureCode, failureReason, ...body } = await shown(store, id);
    const { updatedAt: __, ...was } = before;
    expect(body).to.deep.equal({ ...was, status: 'failed' });
    expect([failureCode, failureReason]).to.deep.equal(['too_short', failed.failureReason]);
    const save = async (name: string): Promise<Buffer> => {
      const file = join(folder, name);
      await stage.operator('recordings.save', { workspace: store.workspaceId, id, file });
      return readFileSync(file);
    };
    expect((await save('one.wav')).equals(first)).to.equal(true);
    expect(await put(store, wav(3), { replace: id })).to.include({ status: 'ready', durationMs: 3_000 });
    const after = await shown(store, id);
    expect(after).to.include({ status: 'ready', playable: true, durationMs: 3_000, createdAt: was.createdAt });
    expect(after).not.to.have.any.keys('failureCode', 'failureReason');
    expect((await save('two.wav')).equals(wav(3))).to.equal(true);
    expect(await refusal(save('two.wav'))).to.equal('file_not_writable');
  });

  it('allow replacing and renaming a default, which stays one', async () => {
    const store = await newStore();
    const { workspaceId: workspace } = store;
    const { recordings } = await list(store);
    const { id } = recordings[0];
    const file = join(folder, 'chime.wav');
    expect(await stage.operator('recordings.save', { workspace, id, file })).to.include({ size: chime().length });
    expect(readFileSync(file).equals(chime())).to.equal(true);
    expect(await put(store, wav(0.1), { replace: id })).to.include({ status: 'failed' });
    expect(await shown(store, id)).to.include({
      source: 'default',
      playable: true,
      status: 'failed',
      durationMs: 2_000,
    });
    expect(await put(store, wav(4), { replace: id.toUpperCase() })).to.include({ status: 'ready' });
    await stage.operator('recordings.rename', { workspace, id, name: 'We are closed' });
    const body = await shown(store, id);
    expect(body).to.include({ source: 'uploaded', isDefault: true, durationMs: 4_000, name: 'We are closed' });
    const after = await list(store);
    expect([after.count, after.recordings.length, after.recordings[0].id]).to.deep.equal([0, 10, id]);
    expect(await refusal(remove(store, id))).to.equal('default_recording');
    expect((await list(stage.rival.store)).recordings[0].name).to.equal('Closed message, English');
  });

  it('are limited by the plan, also for twenty concurrent uploads', async () => {
    const features = ['channel.number', 'workspace.core'].map((key) => ({ key, enabled: true }));
    const partner = await stage.addPartner(`limited-${++count}`, ['channel.number', 'workspace.core']);
    const plan = { key: `limited-${count}`, name: 'Limited' };
    await stage.operator('plans.put', {
      ...plan,
      features: [...features, { key: 'channel.recordings.max', enabled: true, limit: 3 }],
    });
    const { store } = partner;
    const file = fileOf(wav(1.5));
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refusal(put(store, Buffer.alloc(0), { file, name: `No. ${n}` }))),
    );
    expect(made.filter((one) => one === 'plan_limit_reached')).to.have.lengthOf(17);
    const { recordings, ...counted } = await list(store);
    expect(counted).to.deep.equal({ count: 3, limit: 3, unlimited: false });
    await remove(store, recordings[10].id);
    expect(await refusal(put(store, wav(1.5)))).to.match(/^not refused/);
    expect(await put(store, wav(2), { replace: recordings[0].id }), 'a default does not count').to.include({
      status: 'ready',
    });
  });

  it('show the teams that use them, and are not removed while in use', async () => {
    const store = await newStore();
    const ring = await member(store);
    const music = (await put(store, wav(2), { kind: 'hold' })).id;
    const closed = (await list(store)).recordings[0].id;
    const team = await putTeam(store, 'Door', ring, { holdRecordingId: music, closedRecordingId: closed });
    const second = await putTeam(store, 'Desk', ring, { holdRecordingId: music, missedRecordingId: music });
    const use = (teamId: string, field: string) => ({ kind: 'team_queue', teamId, field });
    expect((await shown(store, music)).uses).to.deep.equal([
      use(team.id, 'hold'),
      use(second.id, 'hold'),
      use(second.id, 'missed'),
    ]);
    expect((await shown(store, closed)).uses).to.deep.equal([use(team.id, 'closed')]);
    expect(await refusal(remove(store, music))).to.equal('recording_in_use');
    await putTeam(store, 'Door', ring, {});
    await stage.operator('teams.remove', { workspace: store.workspaceId, id: second.id });
    expect((await shown(store, music)).uses).to.deep.equal([]);
    expect((await shown(store, closed)).uses).to.deep.equal([]);
    expect(await remove(store, music)).to.include({ removed: true });
    expect((await get(store, music)).status).to.equal(404);
    expect(await refusal(remove(store, music))).to.equal('not_found');
  });

  it("can be used by a team only if they are the store's", async () => {
    const store = await newStore();
    const ring = await member(store);
    const { id } = await put(stage.sibling, wav(2));
    for (const holdRecordingId of [UNKNOWN, id]) {
      const error = await putTeam(store, 'Door', ring, { holdRecordingId }).catch((thrown) => thrown);
      expect(error.code).to.equal('validation_failed');
      expect(error.problems).to.deep.equal([
        { message: 'is not a recording of the store', location: 'queue.holdRecordingId', value: holdRecordingId },
      ]);
    }
    const own = (await put(store, wav(2))).id;
    const team = await putTeam(store, 'Door', ring, { holdRecordingId: own.toUpperCase() });
    expect(team).to.include({ changed: true });
    expect(await putTeam(store, 'Door', ring, { holdRecordingId: own })).to.include({ changed: false });
  });

  it('are never both used and removed by concurrent requests', async () => {
    const store = await newStore();
    const ring = await member(store);
    for (let round = 0; round < 12; round += 1) {
      const { id } = await put(store, wav(1.2));
      const [team, removed] = await Promise.all([
        refusal(putTeam(store, `Team ${round}`, ring, { holdRecordingId: id })),
        refusal(remove(store, id)),
      ]);
      const isUsed = /^not refused/.test(team);
      expect(isUsed, `${team} | ${removed}`).to.equal(!/^not refused/.test(removed));
      expect((await get(store, id)).status).to.equal(isUsed ? 200 : 404);
    }
  });

  it('reject invalid files and input', async () => {
    const store = await newStore();
    const { workspaceId: workspace } = store;
    const file = fileOf(wav(2));
    const given = { workspace, file, name: 'Welcome', kind: 'greeting' };
    const wrong: [string, object][] = [
      ['file_not_readable', { ...given, file: join(folder, 'none.wav') }],
      ['file_not_readable', { ...given, file: folder }],
      ['file_empty', { ...given, file: fileOf(Buffer.alloc(0)) }],
      ['file_too_large', { ...given, file: fileOf(Buffer.alloc(16 * 1024 * 1024 + 1)) }],
      ['not_found', { ...given, workspace: UNKNOWN }],
      ['not_found', { workspace, file, replace: UNKNOWN }],
      ['validation_failed', { ...given, kind: 'music' }],
      ['validation_failed', { ...given, language: 'fr' }],
      ['validation_failed', { ...given, name: 'x'.repeat(121) }],
      ['validation_failed', { ...given, name: '  ' }],
      ['validation_failed', { ...given, replace: UNKNOWN }],
      ['validation_failed', { workspace, file }],
    ];
    for (const [code, input] of wrong)
      expect(await refusal(stage.operator('recordings.put', input)), JSON.stringify(input).slice(0, 300)).to.equal(
        code,
      );
    expect((await list(store)).count).to.equal(0);
    const none = { workspace, id: UNKNOWN };
    expect(await refusal(stage.operator('recordings.rename', { ...none, name: 'N' }))).to.equal('not_found');
    expect(await refusal(stage.operator('recordings.save', { ...none, file: join(folder, 'n') }))).to.equal(
      'not_found',
    );
  });
});
