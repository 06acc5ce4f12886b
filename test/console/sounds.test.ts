/** Recordings of a store, played in the console: whole or in part, with permissions, and recorded for an auditor. */
import { expect } from 'chai';
import { CHIME_BYTES } from '../../domain/channel/chime.js';
import { defaultsOf } from '../../domain/channel/defaultRecordings.js';
import { addRecording } from '../../domain/channel/recordingChanges.js';
import { recordings } from '../../domain/channel/recordings.js';
import { type Browser, OTHER, SHOP, signedIn } from '../support/stages/consoleStage.js';

const OWN = '00000000-0000-4000-8000-0000000000b1';

describe('recordings in the console', () => {
  const on = signedIn();
  const soundOf = (workspaceId: string, id: string): string => `/api/stores/${workspaceId}/recordings/${id}/sound`;
  const preset = (workspaceId: string): string => soundOf(workspaceId, defaultsOf(workspaceId)[0]!.id);
  const request = (
    { cookie }: Pick<Browser, 'cookie'>,
    path: string,
    headers: Record<string, string> = {},
    how = 'GET',
  ) => on.stage.request(how, path, { cookie, ...headers });

  it('are returned completely, with their type, and never executed', async () => {
    const { status, headers } = await request(on.shop, preset(SHOP));
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'audio/wav',
      'content-length': String(CHIME_BYTES),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-disposition']).to.match(/^inline; filename=".+\.wav"/);
    expect(headers['content-security-policy']).to.include("default-src 'none'; sandbox");
  });

  it('are returned in parts, so that a player can seek', async () => {
    const part = await request(on.operator, preset(SHOP), { range: 'bytes=100-199' });
    expect([part.status, part.headers['content-range'], part.headers['content-length']]).to.deep.equal([
      206,
      `bytes 100-199/${CHIME_BYTES}`,
      '100',
    ]);
    const beyond = await request(on.operator, preset(SHOP), { range: 'bytes=99999999-' });
    expect([beyond.status, beyond.body.code]).to.deep.equal([416, 'range_not_satisfiable']);
    const known = await request(on.operator, preset(SHOP), { 'if-none-match': part.headers.etag! });
    expect(known.status).to.equal(304);
    const requested = await request(on.operator, preset(SHOP), {}, 'HEAD');
    expect([requested.status, requested.headers['content-length'], requested.text]).to.deep.equal([
      200,
      String(CHIME_BYTES),
      '',
    ]);
  });

  it('are rejected for other stores, and without a session', async () => {
    expect((await request(on.shop, preset(OTHER))).body.code).to.equal('not_found');
    expect((await request(on.operator, preset(OTHER))).status).to.equal(200);
    expect((await request({ cookie: 'x=y' }, preset(SHOP))).body.code).to.equal('console_signed_out');
    const elsewhere = await request(on.operator, soundOf(SHOP, defaultsOf(OTHER)[0]!.id));
    expect(elsewhere.body.code).to.equal('not_found');
  });

  it('report when there is nothing to play yet', async () => {
    const upload = { uploadId: OWN, size: 44 };
    await on.stage.commands.decide(
      recordings,
      SHOP,
      addRecording(OWN, { name: 'Welcome', kind: 'greeting' }, upload, undefined),
    );
    const { status, body } = await request(on.operator, soundOf(SHOP, OWN));
    expect([status, body.code, body.reason]).to.deep.equal([409, 'command_refused', 'recording_not_playable']);
  });

  it('are recorded before an auditor hears them', async () => {
    const path = preset(SHOP);
    expect((await request(on.auditor, path)).status).to.equal(200);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.deep.equal({
      operation: 'console.hearRecording',
      path: `/console${path}`,
      role: 'auditor',
    });
  });
});
