/**
 * The protocol endpoint compared with a real EventStoreDB 23.10.8. test/vectors/eventstoredb holds 309 scenarios with
 * the answers of the real server. Each answer must be equal, except for the scenarios in test/vectors/differences.json:
 * these record our own answer, which must not change unnoticed either. docs/operating/eventstoredb.md gives the
 * reasons. After an intended change, run node dist/test/support/generators/recordDifferences.js to record our answers,
 * and read the diff.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { offered, type Recorded, readTranscripts, runOffered, vectorFile } from '../support/protocol/vectorRun.js';

const recorded = readTranscripts(vectorFile('eventstoredb/recorded-23.10.8.json'));
const differences = readTranscripts(vectorFile('differences.json'));

/** Our server continues where the real one fails. How much has arrived when the scenario looks depends on timing. */
const VARYING = ['subscribe/all/position-between'];

/**
 * The client reports a connection cut by the relay in one of two ways: dropped, or reset if the relay had unread bytes
 * from the client, as on a busy machine. The server has no influence on this.
 */
const asDropped = (text: string): string =>
  text.replace(/14 UNAVAILABLE(: Connection dropped)? \(reset\)/g, '14 UNAVAILABLE: Connection dropped');
const answerOf = (name: string, { transcript }: Recorded[string]): unknown =>
  name.startsWith('disconnect/') ? JSON.parse(asDropped(JSON.stringify(transcript))) : transcript;

describe('protocol endpoint compared with a recorded EventStoreDB 23.10.8', function () {
  this.timeout(300_000);
  let answered: Recorded;
  before(async () => {
    answered = await runOffered();
  });

  for (const name of Object.keys(recorded).filter(offered)) {
    const { purpose, transcript } = recorded[name]!;
    const difference = differences[name];
    if (difference === undefined) {
      it(`${name}: ${purpose}`, () => {
        expect(answered[name] && answerOf(name, answered[name])).to.deep.equal(transcript);
      });
    } else {
      it(`${name}: differs as documented in docs/operating/eventstoredb.md`, () => {
        const { transcript: ours } = answered[name]!;
        if (VARYING.includes(name)) expect(ours).to.not.have.property('!failed');
        else expect(ours).to.deep.equal(difference.transcript);
      });
    }
  }

  it('every documented difference exists, with its reason in docs/operating/eventstoredb.md', () => {
    const reported = readFileSync(new URL('../../../docs/operating/eventstoredb.md', import.meta.url), 'utf8');
    for (const [name, { transcript }] of Object.entries(differences)) {
      expect(transcript, name).to.not.deep.equal(recorded[name]?.transcript);
      expect(reported, name).to.contain(`\`${name}\``);
    }
  });
});
