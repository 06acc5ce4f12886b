/**
 * All tests, those first that are quick: pure ones and those that stay in this process. What starts processes, or takes more
 * than a second, is in a file `*.long.test.ts`. `SUUQ_TESTS=quick` leaves these out; files named on the command line run alone:
 * `npx mocha dist/test/orders/chat.test.js`. `SUUQ_TESTS=again`, on another Node after one has run them all, leaves out what looks at no Node.
 */
const named = process.argv.slice(2).some((argument) => argument.endsWith('.test.js'));
const quick = 'dist/test/**/!(*.long).test.js';
const spec = process.env.SUUQ_TESTS === 'quick' ? [quick] : [quick, 'dist/test/**/*.long.test.js'];

/**
 * What looks at no Node: what breaks each message of a wire, each start, each moment; pages in a browser; who owns what, on the test clock and
 * over stand-ins of servers; the guides; and the areas of selling, whose rules the quick tests tell and whose HTTP is that of `api/`.
 */
const ONCE = [
  'dist/test/{simulation,crash,operations}/**/*.long.test.js',
  'dist/test/**/browser*.long.test.js',
  'dist/test/**/{*nstances*,olderLog,cliMove,cliListen,cliShells,sealedMove,replaySince,verifyTexts,try,verify}.long.test.js',
  'dist/test/**/*{.wire,wireFaults,.leader,/restore}.long.test.js',
  'dist/test/**/{ownership,shards,projectionShards,instances}.*.long.test.js',
  'dist/test/**/{eventstoredb,readModels.mongodb}.*.long.test.js',
  'dist/test/{access,analysis,catalog,channel,docs,files,generator,history,proofs,inbox,numberLists,orders,payments,pricing,privacy,promotions,recordings,stores,templates}/**/*.long.test.js',
];

module.exports = {
  ...(named ? {} : { spec }),
  ...(process.env.SUUQ_TESTS === 'again' && { ignore: ONCE }),
  // Holds what tests append to the events' schemas.
  require: ['dist/test/support/events/checkedEvents.js'],
  timeout: 90_000,
  slow: 2000,
  parallel: true,
  jobs: 2,
  'node-option': ['enable-source-maps'],
};
