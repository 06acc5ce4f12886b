import { expect } from 'chai';
import { NO_EVENT, placeInLog } from '../../engine/logPlaces.js';
import { BEFORE_ALL, markOf, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const meta = { at: '2026-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'places' };
const event = (position: number, id = `event-${position}`): RecordedEvent => ({
  id,
  type: 'Noted',
  data: {},
  meta,
  stream: 'note-1',
  revision: position,
  position,
});
const history = [0, 1, 2, 3].map((position) => event(position));
const mark = markOf(history[2]!);

describe('a place in a log', () => {
  const log = memoryLog(history);

  it('at the beginning holds in any log', async () => {
    for (const any of [log, memoryLog()])
      expect(await placeInLog(any, { position: BEFORE_ALL })).to.deep.equal({
        isValid: true,
        from: { position: BEFORE_ALL },
      });
  });

  it('holds where its event stands, and is gone on with from there', async () => {
    const from = { position: 2, mark };
    expect(await placeInLog(log, { position: 2, mark })).to.deep.equal({ isValid: true, from });
    expect(await placeInLog(log, { position: 900, mark }), 'what lay between was nobody’s').to.deep.equal({
      isValid: true,
      from,
    });
  });

  it('does not hold in an older log, in one that went another way, nor in one whose places are others', async () => {
    const [first, second, third] = history as [RecordedEvent, RecordedEvent, RecordedEvent];
    const moved = { ...third, position: 7 };
    for (const other of [[], [first, second], [first, second, event(2, 'another')], [first, second, moved]])
      expect(await placeInLog(memoryLog(other), { position: 2, mark })).to.deep.equal({ isValid: false, mark });
  });

  it('without an event is believed up to the head, or refused beyond it where positions are exact', async () => {
    expect(await placeInLog(log, { position: 2 })).to.deep.equal({ isValid: true, from: { position: 2 } });
    expect(await placeInLog(log, { position: 9 })).to.deep.equal({ isValid: true, from: { position: 3 } });
    expect(await placeInLog({ ...log, exact: true }, { position: 9 })).to.deep.equal({ isValid: false });
  });

  it('is not waited for where no log can have its event', async () => {
    const given = { position: 9, mark: { ...mark, position: 9, id: NO_EVENT } };
    const waited = new Promise((resolve) => setImmediate(resolve, 'waited'));
    expect(await Promise.race([placeInLog(log, given, 5000), waited])).to.deep.include({ isValid: false });
  });

  it('is not waited for where the log has no replicas', async () => {
    const waited = new Promise((resolve) => setImmediate(resolve, 'waited'));
    const older = { ...memoryLog(history.slice(0, 2)), mayLag: () => false };
    expect(await Promise.race([placeInLog(older, { position: 2, mark }, 5000), waited])).to.deep.include({
      isValid: false,
    });
  });

  it('is waited for where a replica has not come to it yet', async () => {
    const lagging = memoryLog(history.slice(0, 2));
    const scanned = placeInLog(lagging, { position: 2, mark }, 5000);
    const { type, data, id } = history[2]!;
    await lagging.append('note-1', 1, [{ type, data, id, meta }]);
    expect(await scanned).to.deep.include({ isValid: true });
  });
});
