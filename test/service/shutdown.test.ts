import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Undo, untilSignal } from '../../service/shutdown.js';

describe('the shutdown of components', () => {
  interface Entry {
    readonly part?: string;
    readonly message: string;
  }
  function stage(partMs = 30_000) {
    const order: string[] = [];
    const entries: Entry[] = [];
    const error = (context: object, message: string): void => void entries.push({ ...context, message });
    const log = { error, warn: error, info: error, debug: error, isLevelEnabled: () => true };
    return { undo: new Undo(partMs), order, told: entries, stop: (undo: Undo) => undo.run(log) };
  }

  it('runs in reverse order of their start, and continues after one that fails', async () => {
    const { undo, order, told, stop } = stage();
    undo.guard('folder', () => order.push('folder'));
    undo.add('log', async () => order.push('log'));
    undo.add('HTTP', () => Promise.reject(new Error('broken')));
    undo.add('processors', () => order.push('processors'));
    await stop(undo);
    expect(order).to.deep.equal(['processors', 'log', 'folder']);
    expect(told.map(({ part, message }) => `${part}: ${message}`)).to.deep.equal(['HTTP: shutdown step failed']);
    await stop(undo);
    expect(order).to.have.length(3);
  });

  it('limits the wait for each, and excludes others during it', async () => {
    const { undo, order, told, stop } = stage(20);
    undo.guard('folder', () => order.push('folder'));
    undo.add('log', () => new Promise(() => undefined));
    undo.add('HTTP', () => order.push('HTTP'));
    await stop(undo);
    expect(order).to.deep.equal(['HTTP']);
    expect(told.map(({ part, message }) => `${part}: ${message}`)).to.deep.equal(['log: shutdown step timed out']);
  });
});

describe('the end on a signal', () => {
  it('is immediate on a second one, but not on the same one forwarded by npm', async () => {
    const exits: number[] = [];
    let now = 1000;
    const signals = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
    const stopped = untilSignal(signals, () => now);
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    await stopped;
    now += 400;
    signals.emit('SIGINT');
    expect(exits).to.deep.equal([]);
    now += 200;
    signals.emit('SIGTERM');
    expect(exits).to.deep.equal([130]);
  });
});
