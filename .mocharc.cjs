/**
 * All tests, those first that are quick: pure ones and those that stay in this process. What starts processes, or takes more
 * than a second, is in a file `*.long.test.ts`. `SUUQ_TESTS=quick` leaves these out; files named on the command line run alone:
 * `npx mocha dist/test/api/http.test.js`. `SUUQ_TESTS=again`, on another Node after one has run them all, takes AGAIN, and the quick ones of the same kind.
 */
const named = process.argv.slice(2).some((argument) => argument.endsWith('.test.js'));
const quick = 'dist/test/**/!(*.long).test.js';

/** What may tell one Node from another: HTTP and its bodies, files and threads, the drivers of the engines, starts, streams, what a package gives. */
const AGAIN = Object.entries({
  api: ['conformance', 'idempotency', 'largeBodies', 'httpServer', 'httpInput', 'connections', 'bodies'],
  engine: ['commandHandler', 'filling', 'processorRuntime', 'projectionRuntime', 'catchUp'],
  engines: [
    'eventStore.embedded',
    'eventStore.eventstoredb',
    'readModels.mongodb',
    'eventstoredb.access',
    'checkpointer',
    'damagedLog',
  ],
  service: [
    'npmStart',
    'cliStart',
    'cli',
    'backup',
    'releases',
    'secrets',
    'projectionsHost',
    'fillingThreads',
    'pageThreads',
    'fullDisk',
  ],
  webhooks: ['delivery', 'exchange', 'guard', 'service'],
  client: ['readme'],
  package: ['exports'],
  console: ['uploads'],
  files: ['http', 'forms'],
}).flatMap(([area, names]) => names.map((name) => `dist/test/${area}/${name}.long.test.js`));
const AGAIN_QUICK = 'dist/test/@(api|client|engine|engines|files|sealing|service|webhooks)/!(*.long).test.js';
const SPECS = { quick: [quick], again: [AGAIN_QUICK, ...AGAIN] };
const all = [quick, 'dist/test/**/*.long.test.js'];

module.exports = {
  ...(named ? {} : { spec: SPECS[process.env.SUUQ_TESTS] ?? all }),
  // Holds what tests append to the events' schemas.
  require: ['dist/test/support/events/checkedEvents.js'],
  timeout: 90_000,
  slow: 2000,
  parallel: true,
  // Quick tests wait for a disk or a timer a third of their time; several instances of the service, of the long ones, need what they have.
  jobs: process.env.SUUQ_TESTS === 'quick' ? 3 : 2,
  'node-option': ['enable-source-maps'],
};
