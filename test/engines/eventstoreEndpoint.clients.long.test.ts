/**
 * The protocol endpoint, used by the official clients of other languages. `.ci/run` fetches and builds the clients.
 * Without them the tests are skipped with a message.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const file = (name: string): string => fileURLToPath(new URL(`../../../test/clients/${name}`, import.meta.url));

/** Checks that each program reports, in this order. */
const CHECKS = [
  'append of three events to a new stream',
  'the same append again is recognised',
  'a wrong expectation is refused',
  'read forwards',
  'data and metadata as written',
  'read backwards',
  'a missing stream is not found',
  'read of $all from a position',
  'subscriptions bring the history',
  'and go on live, filtered',
  'stream metadata are kept',
  '$maxCount holds',
  'a deleted stream is not found',
  'a deleted stream goes on numbering',
  'a tombstone is for ever',
];

interface Program {
  readonly language: string;
  /** Absent if the client has not been prepared. */
  readonly command: readonly string[] | undefined;
  /** The reason why `.ci/run` could not prepare it. */
  readonly missing: string | undefined;
}

const { SUUQ_TEST_JAVA_CLASSPATH: classPath, SUUQ_TEST_GO_CLIENT: goClient } = process.env;
const programs: readonly Program[] = [
  {
    language: 'Java',
    command: classPath ? ['java', '-cp', classPath, file('java/Client.java')] : undefined,
    missing: process.env.SUUQ_TEST_JAVA_MISSING,
  },
  { language: 'Go', command: goClient ? [goClient] : undefined, missing: process.env.SUUQ_TEST_GO_MISSING },
];

function output([command, ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 90_000, killSignal: 'SIGKILL' });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (more: Buffer) => {
        text += more;
      });
    child.on('error', (error) => resolve(`${text}${error.message}`));
    child.on('close', () => resolve(text));
  });
}

describe('protocol endpoint with official clients of other languages', function () {
  this.timeout(120_000);
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage();
  });
  after(() => stage.close());

  for (const { language, command, missing } of programs) {
    if (command === undefined) {
      it.skip(`${language}: skipped, ${missing || 'its client has not been prepared (.ci/run does)'}`);
      continue;
    }
    it(`${language}: appends, reads, subscribes, limits and deletes`, async () => {
      const text = await output([...command, stage.address]);
      const done = text.split('\n').flatMap((line) => (line.startsWith('ok ') ? [line.slice(3)] : []));
      expect(done, text).to.deep.equal(CHECKS);
    });
  }
});
