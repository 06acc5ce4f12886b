// Puts what a start loads into few files, dist/bundled. Node takes most of a millisecond of a core to find, read and compile a module, and a start
// loads some 1,250, counted once for each thread. The compiled modules stay what tests, and programs that import `suuq`, load.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const OUT = join(DIST, 'bundled');
/** Put in OUT's place when it is whole. */
const NEW = join(DIST, 'bundled.new');

const MAIN = 'cli/main';
const PROJECTIONS = 'projections/index';
/**
 * The command line, and the threads of a service. Each line is bundled separately, so that a thread loads only the code that it needs. An
 * entry that another one imports by its URL is on one line with it, so that both have the same instance of shared modules. Threads of
 * commands run from the compiled modules.
 */
const ENTRIES = [
  [MAIN],
  [
    'service/composition/threads/projectionsThread',
    'service/composition/threads/fillingThread',
    PROJECTIONS,
    'service/composition/events',
  ],
  ['service/composition/threads/pageThread'],
  ['service/composition/threads/sandboxThread'],
  ['service/proofs/treeThread'],
  ['infrastructure/sqlite/eventStore/writerThread'],
  ['infrastructure/sqlite/checkpointerThread'],
  ['infrastructure/eventstoreEndpoint/endpointThread'],
  ['infrastructure/audio/audioThread'],
  ['api/http/input/largeBodyThread'],
];

/**
 * One file with the code of every command; a second with the additional code for opening the data, and for the beginning of a start; a
 * third with the rest of a start, which is loaded while the threads of the engines start. All other code is loaded on use by a command.
 */
const TOGETHER = {
  cli: [MAIN],
  instance: ['service/composition/instance', 'service/log', 'infrastructure/http/listen', 'service/composition/serve'],
  service: ['service/composition/service'],
};

const nameOf = (entry) => entry.replaceAll('/', '.');
const entryOf = (id) => relative(ROOT, id).replace(/\.[jt]s$/, '');
const sourceOf = (entry) => join(ROOT, `${entry}.ts`);
const compiled = (entry) => pathToFileURL(join(DIST, `${entry}.js`)).href;
const isEntry = new Set(ENTRIES.flat());

const ADDRESS = /new URL\('(\.[^']*\.js)', import\.meta\.url\)|import\.meta\.url/g;

/**
 * Resolves a module's own URL in the bundle: to another entry of the bundle, or (for pages, the manifest, threads that are not bundled)
 * relative to the compiled module.
 */
const addresses = {
  name: 'addresses',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const own = `new URL('../${entryOf(id)}.js', import.meta.url).href`;
    const moved = code.replace(ADDRESS, (all, path) => {
      const entry = path && entryOf(resolve(dirname(id), path));
      if (isEntry.has(entry)) return `new URL('./${nameOf(entry)}.js', import.meta.url)`;
      return all.replace('import.meta.url', own);
    });
    // Lines stay where they were.
    return { code: moved, map: null };
  },
};

/** `suuq`, as a projection may import it, is the engine that runs it. */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const own = new Map(
  Object.entries(exports)
    .filter(([, { default: file }]) => file !== undefined)
    .map(([path, { default: file }]) => [
      `suuq${path.slice(1)}`,
      sourceOf(entryOf(join(ROOT, file)).replace('dist/', '')),
    ]),
);

/** Static imports of these modules, without `import()`. */
function closure(entries, graph) {
  const found = new Set(entries.map(sourceOf));
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

function together() {
  let files;
  return {
    debugName: 'loaded together',
    name(id, graph) {
      files ??= Object.entries(TOGETHER).map(([name, entries]) => [name, closure(entries, graph)]);
      // It waits at its top for all that it does, and what imports it would wait for it.
      return id === sourceOf(MAIN) ? null : (files.find(([, modules]) => modules.has(id))?.[0] ?? null);
    },
  };
}

async function bundle(entries) {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), sourceOf(entry)])),
    platform: 'node',
    // Packages stay as they are installed.
    external: (id) => /^[^./]/.test(id) && !own.has(id),
    resolve: { extensionAlias: { '.js': ['.ts'] }, alias: Object.fromEntries(own) },
    tsconfig: false,
    transform: { target: 'es2023' },
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
    plugins: [addresses],
  });
  await build.write({
    dir: NEW,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...(entries.includes(MAIN) && { codeSplitting: { groups: [together()], includeDependenciesRecursively: false } }),
  });
  await build.close();
}

/** Fingerprints of the projections, since a bundle does not show which handler consists of which functions. */
async function writeFingerprints() {
  const { handlerFingerprints, storedFingerprints } = await import(compiled('engine/projections/handlerFingerprints'));
  const { projections, fingerprints } = await import(compiled(PROJECTIONS));
  const found = await handlerFingerprints(compiled(PROJECTIONS), projections, fingerprints);
  writeFileSync(
    storedFingerprints(pathToFileURL(join(NEW, `${nameOf(PROJECTIONS)}.js`)).href),
    JSON.stringify([...found]),
  );
}

/** When it was made, in ms since 1970; undefined: not yet, or not here. */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
const inputs = [join(DIST, '.tsbuildinfo'), join(ROOT, 'package-lock.json'), import.meta.filename];
const isFresh = inputs.every((file) => changedAt(file) < changedAt(join(OUT, `${nameOf(MAIN)}.js`)));

if (!isFresh) {
  rmSync(NEW, { recursive: true, force: true });
  mkdirSync(NEW, { recursive: true });
  await Promise.all([...ENTRIES.map(bundle), writeFingerprints()]);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(NEW, OUT);
}
