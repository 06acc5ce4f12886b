import { expect } from 'chai';
import { createLog } from '../../service/log.js';
import { droppedLines, LogOutput } from '../../service/logOutput.js';

/** Output that completes writes only when the test allows it. */
class SlowOutput {
  readonly written: string[] = [];
  readonly #waiting: (() => void)[] = [];
  isFull = false;

  write(text: string, done: (error?: Error | null) => void): void {
    if (this.isFull) done(new Error('ENOSPC'));
    else
      this.#waiting.push(() => {
        this.written.push(text);
        done();
      });
  }

  drain(): void {
    for (const write of this.#waiting.splice(0)) write();
  }
}

describe('the output of the log', () => {
  const LINE = `${'x'.repeat(1023)}\n`;
  const MESSAGE = 'log lines dropped, output was unwritable';

  it('drops and counts lines beyond one MiB that nobody reads', () => {
    const output = new SlowOutput();
    const lines = new LogOutput(output);
    const before = droppedLines();
    for (let i = 0; i < 1030; i += 1) lines.write(LINE);
    expect(droppedLines() - before).to.equal(6);
    output.drain();
    expect(output.written).to.have.length(1024);
  });

  it('reports how many lines are missing once it can be written again', () => {
    const output = new SlowOutput();
    const log = createLog('info', { to: new LogOutput(output) });
    output.isFull = true;
    for (const step of [1, 2, 3]) log.info({ step }, 'step done');
    output.isFull = false;
    log.info({ step: 4 }, 'step done');
    output.drain();
    output.drain();
    const entries = output.written.map((line) => JSON.parse(line) as { msg: string; lines?: number });
    expect(entries.map(({ msg, lines }) => [msg, lines])).to.deep.equal([
      ['step done', undefined],
      [MESSAGE, 3],
    ]);
  });
});
