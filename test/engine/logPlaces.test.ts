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

  it('at the beginning is valid in any log', async () => {
    for (const any of [log, memoryLog()])
      expect(await placeInLog(any, { position: BEFORE_ALL })).to.deep.equal({
        isValid: true,
        from: { position: BEFORE_ALL },
      });
  });

  it('is valid if its event is stored there, and reading continues from there', async () => {
    const from = { position: 2, mark };
    expect(await placeInLog(log, { position: 2, mark })).to.deep.equal({ isValid: true, from });
    expect(await placeInLog(log, { position: 900, mark }), 'what lay between was nobody’s').to.deep.equal({
      isValid: true,
      from,
    });
  });

  it('is invalid in an older log, in one with other events, and in one with other positions', async () => {
    const [first, second, third] = history as [RecordedEvent, RecordedEvent, RecordedEvent];
    const moved = { ...third, position: 7 };
    for (const other of [[], [first, second], [first, second, event(2, 'another')], [first, second, moved]])
      expect(await placeInLog(memoryLog(other), { position: 2, mark })).to.deep.equal({ isValid: false, mark });
  });

  it('without an event is valid up to the head, and invalid beyond it if positions are exact', async () => {
    expect(await placeInLog(log, { position: 2 })).to.deep.equal({ isValid: true, from: { position: 2 } });
    expect(await placeInLog(log, { position: 9 })).to.deep.equal({ isValid: true, from: { position: 3 } });
    expect(await placeInLog({ ...log, exact: true }, { position: 9 })).to.deep.equal({ isValid: false });
  });

  it('is rejected at once if no log can contain its event', async () => {
    const given = { position: 9, mark: { ...mark, position: 9, id: NO_EVENT } };
    const waited = new Promise((resolve) => setImmediate(resolve, 'waited'));
    expect(await Promise.race([placeInLog(log, given, 5000), waited])).to.deep.include({ isValid: false });
  });

  it('is rejected at once if the log has no replicas', async () => {
    const waited = new Promise((resolve) => setImmediate(resolve, 'waited'));
    const older = { ...memoryLog(history.slice(0, 2)), mayLag: () => false };
    expect(await Promise.race([placeInLog(older, { position: 2, mark }, 5000), waited])).to.deep.include({
      isValid: false,
    });
  });

  it('is awaited if a replica has not reached it', async () => {
    const lagging = memoryLog(history.slice(0, 2));
    const scanned = placeInLog(lagging, { position: 2, mark }, 5000);
    const { type, data, id } = history[2]!;
    await lagging.append('note-1', 1, [{ type, data, id, meta }]);
    expect(await scanned).to.deep.include({ isValid: true });
  });
});
