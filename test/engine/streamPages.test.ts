/** A stream that is longer than a page, and one that ends with a page. */
import { expect } from 'chai';
import type { EventData } from '../../engine/ports/eventStore.js';
import { streamEvents, streamPages } from '../../engine/streamPages.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const META = { at: '2026-11-20T08:00:00.000Z', correlationId: 'req-1', actor: { type: 'system' as const } };

async function logOf(length: number) {
  const log = memoryLog();
  const events = Array.from(
    { length },
    (_, i): EventData => ({ id: `event-${i}`, type: 'Poured', data: {}, meta: META }),
  );
  if (length > 0) await log.append('cup-1', 'noStream', events);
  return log;
}

describe('a stream read page by page', () => {
  for (const [length, pages] of [
    [0, []],
    [1, [1]],
    [500, [500]],
    [1001, [500, 500, 1]],
  ] as const)
    it(`of ${length} events returns each once, in order`, async () => {
      const log = await logOf(length);
      const sizes: number[] = [];
      for await (const page of streamPages(log, 'cup-1')) sizes.push(page.length);
      expect(sizes).to.deep.equal(pages);
      const revisions: number[] = [];
      for await (const { revision } of streamEvents(log, 'cup-1')) revisions.push(revision);
      expect(revisions).to.deep.equal(Array.from({ length }, (_, i) => i));
    });

  it('is read no further than requested', async () => {
    const log = await logOf(1001);
    let read = 0;
    const counted: Pick<typeof log, 'readStream'> = {
      readStream(...requested) {
        read += 1;
        return log.readStream(...requested);
      },
    };
    for await (const { revision } of streamEvents(counted, 'cup-1')) if (revision === 499) break;
    expect(read).to.equal(1);
  });
});
