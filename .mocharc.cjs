/** All tests, or only the files named on the command line: `npx mocha dist/test/http.test.js`. */
const named = process.argv.slice(2).some((argument) => argument.endsWith('.test.js'));

module.exports = {
  ...(named ? {} : { spec: ['dist/test/**/*.test.js'] }),
  require: ['dist/test/support/events/checkedEvents.js'],
  timeout: 20_000,
  slow: 2000,
  parallel: true,
  jobs: 2,
  'node-option': ['enable-source-maps'],
};
