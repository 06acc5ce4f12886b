/**
 * A customer with every kind of personal data: after one day, data is only in the places listed in
 * docs/concepts/privacy.md.
 */
import { expect } from 'chai';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { projections } from '../../projections/index.js';
import { eventStreams } from '../../service/composition/events.js';
import { type Receiver, receiver } from '../support/doubles/receiver.js';
import { readSamples } from '../support/events/recorded.js';
import { type Found, foundIn } from '../support/privacy/found.js';
import { placeOf } from '../support/privacy/places.js';
import { kindsIn, playStory } from '../support/privacy/story.js';
import { traced } from '../support/privacy/tracing.js';

const samples = readSamples();

/** Returns the kinds of data that the page lists for a place. Places with free text may contain all kinds. */
function textOf(place: string): ReadonlySet<string> | 'all' {
  const projection = projections.find(({ name }) => name === place);
  const kinds = projection
    ? traced(projection, eventStreams, samples).places.flatMap((one) => one.kinds)
    : (placeOf(place)?.kinds ?? []);
  return kinds === 'all' || kinds.includes('text') ? 'all' : new Set(kinds);
}

function unsaid(found: Found): string[] {
  return [...found].flatMap(([place, kinds]) => {
    const text = textOf(place);
    return text === 'all' ? [] : [...kinds].filter((kind) => !text.has(kind)).map((kind) => `${place}: ${kind}`);
  });
}

describe('stored data about a person', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-privacy-');
  let service: ServiceProcess;
  let target: Receiver;
  let output: string;
  let found: Found;

  before(async () => {
    service = await startService(folder.path, { SUUQ_LOG: 'trace' });
    target = await receiver();
    const { derived } = await playStory(service.baseUrl, readDemo(folder.path), target);
    await service.stop();
    output = service.output();
    found = await foundIn(folder.path, (text) => kindsIn(text, derived));
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    folder.remove();
  });

  it('is in no document, task, response or file that the documentation omits', () =>
    expect(unsaid(found), 'tell of it in test/support/privacy/places.ts, or do not keep it').to.deep.equal([]));

  it('is found by the search of this test', () => {
    const places = ['conversations', 'files', 'idempotencyKeys', 'messages', 'orderRows', 'orders'];
    expect([...found.keys()]).to.include.members([...places, 'numberListPhones', 'paidOrders', 'sandbox.jsonl']);
    // Personal values in the log are sealed.
    expect([...(found.get('events.db') ?? [])].filter((kind) => kind !== 'derivedId')).to.deep.equal([]);
  });

  it('is in no name of a file', () =>
    expect([...found.keys()].filter((place) => place.endsWith(': names'))).to.deep.equal([]));

  it('is in no log line, at the most verbose level', () => {
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.filter((line) => line.includes('"level":"debug"')).length, 'requests were logged').to.be.above(10);
    expect(lines.filter((line) => kindsIn(line).length > 0)).to.deep.equal([]);
  });
});
