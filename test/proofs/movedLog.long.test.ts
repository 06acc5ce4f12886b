/** An audit of a log that was sealed on a move and then changed or damaged reports every fault, not only the first. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../bench/generator/write.js';
import { MOVED, SEALED } from '../../engine/sealing/sealedData.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { quietLog } from '../../service/log.js';
import { readMoveSettings } from '../../service/settings/moveSettings.js';
import { auditLog } from '../../upkeep/audit/auditLog.js';
import { move } from '../../upkeep/move/move.js';
import { openProofs } from '../support/stages/proofsStage.js';

const EVENTS = 400;
const SEED = 'an audit of a moved log';
/** The same key as in the stage of proofs. */
const MASTER_KEY = `${'07'.repeat(32)}\n`;

describe('an audit of a log encrypted by a move', () => {
  const root = mkdtempSync(join(tmpdir(), 'suuq-moved-log-'));
  const [old, moved] = [join(root, 'old'), join(root, 'new')];
  const signal = new AbortController().signal;
  let positions: readonly number[];
  let turn = 0;

  before(async () => {
    await makeFolder(old, { events: EVENTS, seed: SEED }, { signal, report() {} });
    writeFileSync(join(old, 'master.key'), MASTER_KEY);
    const proofs = await openProofs(old);
    await proofs.tree.advance();
    await proofs.proofs.sign();
    await proofs.close();
    mkdirSync(moved);
    await move(readMoveSettings({ SUUQ_DATA: old }, { folder: moved, seal: true }), quietLog(), () => {}, signal);
    const db = openDatabase(join(moved, 'events.db'), { readonly: true });
    positions = db
      .prepare<[number]>(`SELECT position FROM events WHERE data LIKE '%"${SEALED}"%' ORDER BY position`)
      .all()
      .map(([position]) => position);
    db.close();
  });
  after(() => rmSync(root, { recursive: true }));

  /** Audits a copy that was changed outside the service. */
  async function audited(sql: string, database = 'events.db', key = MASTER_KEY) {
    turn += 1;
    const folder = join(root, `copy-${turn}`);
    cpSync(moved, folder, { recursive: true });
    writeFileSync(join(folder, 'master.key'), key);
    const db = openDatabase(join(folder, database));
    db.exec(sql);
    db.close();
    const requested = { heads: [], toleranceSeconds: 120 };
    const { faults, earlier } = await auditLog({ SUUQ_DATA: folder }, requested, { report() {}, signal });
    return { faults, proofs: earlier.map(({ proof }) => proof) };
  }

  const kinds = (faults: readonly { kind: string }[]) => faults.map(({ kind }) => kind);

  it('finds nothing in an unchanged log', async () => {
    expect(positions.length).to.be.greaterThan(20);
    const { faults, proofs } = await audited('SELECT 1');
    expect([faults, proofs]).to.deep.equal([[], ['opened']]);
  });
  it('reports all errors if an event cannot be read', async () => {
    const { faults, proofs } = await audited(`UPDATE events SET type = 9999 WHERE position = ${positions[10]!}`);
    expect(proofs).to.deep.equal(['unreadable']);
    expect(kinds(faults)).to.deep.equal(['log', 'head', 'moved', 'moved']);
    expect(faults[0]!.what).to.equal('events.db: nothing is named by the number 9999');
    expect(faults[3]!.what).to.equal(`it cannot be opened as it was: ${faults[0]!.what}`);
  });

  const changes = {
    differs: [
      `replace(data, '","${MOVED}"]', 'AAAA","${MOVED}"]')`,
      /position \d+: The sealed fields of event .* cannot be decrypted/,
    ],
    'has another form': [`'{"${SEALED}":[7]}'`, /position \d+: The sealed value is malformed/],
    'is no JSON': [`'"${SEALED}"' || data`, /position \d+: The sealed value is malformed/],
  } as const;
  for (const [how, [sql, what]] of Object.entries(changes))
    it(`reports all errors if the encrypted part ${how}`, async () => {
      const { faults, proofs } = await audited(`UPDATE events SET data = ${sql} WHERE position = ${positions[10]!}`);
      expect(proofs).to.deep.equal(['unreadable']);
      expect(kinds(faults)).to.deep.equal(['head', 'moved', 'moved']);
      expect(faults[1]!.what).to.equal(`the first ${EVENTS} events differ from those it was signed for`);
      expect(faults[2]!.what).to.match(what);
    });

  it('reports the required master key, and treats a vault without keys as missing', async () => {
    const other = await audited('SELECT 1', 'events.db', `${'08'.repeat(32)}\n`);
    expect([kinds(other.faults), other.proofs]).to.deep.equal([['moved'], ['unreadable']]);
    expect(other.faults[0]!.what).to.include('encrypted with the master key').and.to.include('Add that master key');
    const none = await audited('DELETE FROM persons', 'vault.db');
    expect([none.faults, none.proofs]).to.deep.equal([[], ['no_keys']]);
  });
});
