/**
 * All tests, those first that are quick: pure ones and those that stay in this process. What starts processes, or takes more
 * than a second, is in a file `*.long.test.ts`. `SUUQ_TESTS=quick` leaves these out; files named on the command line run alone:
 * `npx mocha dist/test/orders/chat.test.js`.
 */
const named = process.argv.slice(2).some((argument) => argument.endsWith('.test.js'));
const quick = 'dist/test/**/!(*.long).test.js';
const spec = process.env.SUUQ_TESTS === 'quick' ? [quick] : [quick, 'dist/test/**/*.long.test.js'];

module.exports = {
  ...(named ? {} : { spec }),
  // Holds what tests append to the events' schemas.
  require: ['dist/test/support/events/checkedEvents.js'],
  timeout: 20_000,
  slow: 2000,
  parallel: true,
  jobs: 2,
  'node-option': ['enable-source-maps'],
};
