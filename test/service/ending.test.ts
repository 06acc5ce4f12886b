import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { untilSignal } from '../../service/ending.js';

describe('the end by a signal', () => {
  it('comes at once with a second one, but not with the same that npm passes on', async () => {
    const exits: number[] = [];
    let now = 1000;
    const signals = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
    const told = untilSignal(signals, () => now);
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    await told;
    now += 400;
    signals.emit('SIGINT');
    expect(exits).to.deep.equal([]);
    now += 200;
    signals.emit('SIGTERM');
    expect(exits).to.deep.equal([130]);
  });
});
