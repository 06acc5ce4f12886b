/**
 * All tests, those first that are quick: pure ones and those that stay in this process. What starts processes, or takes more
 * than a second, is in a file `*.long.test.ts`. `SUUQ_TESTS=quick` leaves these out; files and folders named on the command line run
 * alone, by their source or their build: `npx mocha test/api/http.test.ts`. `SUUQ_TESTS=again`, on another Node after one has run
 * them all, runs the quick ones and AGAIN.
 */
const { existsSync, statSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { aliases, types } = require('mocha/lib/cli/run-option-metadata.cjs');

const valued = [...types.array, ...types.number, ...types.string].flatMap((name) => [name, ...(aliases[name] ?? [])]);
const takesValue = (argument) => /^--?[\w-]+$/.test(argument) && valued.includes(argument.replace(/^--?/, ''));
const names = process.argv
  .slice(2)
  .filter(
    (argument, i, all) => !argument.startsWith('-') && argument !== 'inspect' && !(i > 0 && takesValue(all[i - 1])),
  );

/** The build of what is named. Ends the run where there is none: mocha would leave the name out, and run everything. */
function built(name) {
  const place = relative(__dirname, resolve(name));
  const build = place.startsWith('test') ? join('dist', place.replace(/\.ts$/, '.js')) : place;
  // Mocha itself refuses a pattern that nothing matches.
  if (/[*?{(]/.test(name)) return build;
  const stats = statSync(build, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return join(build, '**/*.test.js');
  if (stats !== undefined && build.endsWith('.test.js')) return build;
  const hint = existsSync(name) ? `its build ${build} is missing, 'npm run build' makes it` : 'there is no such file';
  console.error(`No tests in '${name}': ${hint}.`);
  process.exit(1);
}

const quick = 'dist/test/**/!(*.long).test.js';

/** What starts processes and threads, and may tell one Node from another: requests as they come, the engines' files, a start, the package. */
const AGAIN = [
  'api/httpServer',
  'api/httpInput',
  'engines/eventStore.embedded',
  'service/npmStart',
  'service/cliStart',
  'package/exports',
].map((name) => `dist/test/${name}.long.test.js`);
const SPECS = { quick: [quick], again: [quick, ...AGAIN] };
const all = [quick, 'dist/test/**/*.long.test.js'];

const builds = names.map(built);

module.exports = {
  spec: names.length > 0 ? builds.filter((build) => !names.includes(build)) : (SPECS[process.env.SUUQ_TESTS] ?? all),
  // Sources that are named stand for their builds, which run.
  ignore: names.filter((name) => !builds.includes(name)),
  // Holds what tests append to the events' schemas.
  require: ['dist/test/support/events/checkedEvents.js'],
  timeout: 90_000,
  slow: 2000,
  parallel: true,
  // On two cores: tests wait for disks, timers and processes they started about half of their time.
  jobs: 3,
  'node-option': ['enable-source-maps'],
};
