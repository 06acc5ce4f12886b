/** Folders from the ground up: each imports those before it only. Checked by `npm run lint`. */
const FLOORS = ['domain', 'engine', 'projections', 'application', 'infrastructure', 'api', 'service', 'upkeep', 'cli'];

const API_ROOMS = ['contract', 'http', 'openapi', 'pages', 'operations', 'console', 'server'];

/** Rules that forbid imports of a folder listed later. `within` is the folder that holds them. */
const upwards = (within, folders) =>
  folders.slice(0, -1).map((folder, at) => ({
    name: `${within.replaceAll('/', '-')}${folder}-imports-lower-folders`,
    comment: `${folders.join(' → ')}: each imports only folders before it (docs/concepts/architecture.md).`,
    severity: 'error',
    from: { path: `^${within}${folder}/` },
    to: { path: `^${within}(${folders.slice(at + 1).join('|')})/` },
  }));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upwards('', FLOORS),
    ...upwards('api/', API_ROOMS),
    {
      name: 'api-rooms-end-there',
      comment: 'Only rooms, and the types that the package exports, stand in api/.',
      severity: 'error',
      from: {},
      to: { path: `^api/(?!(${API_ROOMS.join('|')})/|types\\.ts$)` },
    },
    {
      name: 'no-cycles-of-folders',
      comment: 'An area knows those it builds on, not those that build on it.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(domain|engine|projections|application|infrastructure|service|upkeep|cli|api)(/|$)' },
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules need no packages, no clock and no input or output; ids derive from names by a hash.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: ['^domain/', '^(node:)?(crypto|url)$', 'node_modules/typebox/'] },
    },
    {
      name: 'typebox-in-the-words-for-schemas',
      comment:
        'Its types alone, which is tested: nothing of it is loaded while running. Areas use the words of domain/storedEvents.ts.',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/(personalFields|schema|storedEvents)\\.ts$' },
      to: { path: 'node_modules/typebox/' },
    },
    {
      name: 'engine-knows-nothing-of-selling',
      comment:
        'Of the domain the engine knows what a decider is, how events are declared, how ids derive from names, how erased ones begin, and how members are left out.',
      severity: 'error',
      from: { path: '^engine/' },
      to: { path: '^domain/', pathNot: '^domain/(decider|defined|erasure|ids|storedEvents)\\.ts$' },
    },
    {
      name: 'drivers-stay-in-infrastructure',
      severity: 'error',
      from: { pathNot: '^(infrastructure|harness|test|bench)/' },
      to: { path: 'node_modules/(libsql|mongodb|@eventstore|@grpc|undici|ipaddr\\.js)/' },
    },
    {
      name: 'traces-by-one-room',
      comment:
        'OpenTelemetry is known in infrastructure/telemetry alone; the rest knows the port engine/ports/tracing.ts.',
      severity: 'error',
      from: { pathNot: '^infrastructure/telemetry/' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'one-router',
      comment: "Machines' requests go over infrastructure/http, which alone knows find-my-way.",
      severity: 'error',
      from: { pathNot: '^(infrastructure/http|bench|test)/' },
      to: { path: 'node_modules/find-my-way/' },
    },
    {
      name: 'express-for-pages-and-receivers',
      comment: 'What people look at, and the receivers that partners copy; requests to the API never meet it.',
      severity: 'error',
      from: {
        pathNot: '^((infrastructure|api)/pages|api/console|cli/webhooks|cli/demo|bench|test)/',
      },
      to: { path: 'node_modules/(@types/)?(express|compression|helmet)/' },
    },
    {
      name: 'express-is-loaded-with-the-first-page',
      comment: 'A start and the API need no Express: the apps of pages are imported when somebody asks for a page.',
      severity: 'error',
      from: { pathNot: '^((infrastructure|api)/pages/|api/console/|infrastructure/sandbox/pageApp\\.ts$|test/)' },
      to: {
        path: '^((infrastructure|api)/pages/app|api/console/listener|infrastructure/sandbox/pageApp)\\.ts$',
        dynamic: false,
      },
    },
    {
      name: 'page-scripts-stand-alone',
      comment: 'A browser loads them as they are, so they have each other and nothing else.',
      severity: 'error',
      from: { path: '^site/browser/' },
      to: { pathNot: '^site/browser/|node_modules/minisearch/' },
    },
    {
      name: 'documentation-is-built-beforehand',
      comment: 'The service reads what the build left; only the build needs what highlights code and reads Markdown.',
      severity: 'error',
      from: { pathNot: '^(site|test)/' },
      to: { path: '^site/|node_modules/(marked|highlight\\.js)/' },
    },
    {
      name: 'console-is-asked-over-http',
      comment: 'What the console imports is held by biome.json: of the server the types of its contract alone.',
      severity: 'error',
      from: { pathNot: '^(console|test)/' },
      to: { path: '^console/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'A package of its own: what it knows of the service is written from the OpenAPI document.',
      severity: 'error',
      from: { path: '^client/' },
      to: { pathNot: '^client/' },
    },
    {
      name: 'client-is-for-those-outside',
      comment: 'The demo and the command line ask the service as anybody does; the service asks nobody so.',
      severity: 'error',
      from: { pathNot: '^(client|cli|test)/' },
      to: { path: '^client/' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { pathNot: '^(harness|test|bench)/' },
      to: { path: '^(harness|test|bench|examples)/' },
    },
    {
      name: 'tests-and-benchmarks-share-the-harness',
      comment: 'A benchmark imports no test support: both use harness/, which imports neither of them.',
      severity: 'error',
      from: { path: '^(harness|bench)/' },
      to: { path: '^test/' },
    },
    {
      name: 'harness-knows-no-benchmark',
      severity: 'error',
      from: { path: '^harness/' },
      to: { path: '^bench/' },
    },
    {
      name: 'examples-are-projections',
      comment: 'Each stands for a file in projections/ (docs/guides/add-a-projection.md).',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(application|infrastructure|api|service|upkeep|cli)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
