/** The floors of the house, from the ground up: each imports lower floors only. Checked by `npm run lint`. */
const FLOORS = ['domain', 'engine', 'projections', 'application', 'infrastructure', 'api', 'service'];

const upwards = FLOORS.slice(0, -1).map((floor, at) => ({
  name: `${floor}-stands-on-lower-floors`,
  comment: `${FLOORS.join(' → ')}: each imports lower floors only (docs/architecture.md).`,
  severity: 'error',
  from: { path: `^${floor}/` },
  to: { path: `^(${FLOORS.slice(at + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...upwards,
    {
      name: 'domain-is-pure',
      comment: 'Rules need no packages, no clock and no input or output; ids derive from names by a hash.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^(domain/|crypto$|node:crypto$|node_modules/typebox/)' },
    },
    {
      name: 'typebox-in-the-words-for-schemas',
      comment:
        'Its types alone, which is tested: nothing of it is loaded while running. Areas use the words of domain/storedEvents.ts.',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/(schema|storedEvents)\\.ts$' },
      to: { path: 'node_modules/typebox/' },
    },
    {
      name: 'engine-knows-nothing-of-selling',
      comment: 'Of the domain the engine knows what a decider is, and how ids derive from names.',
      severity: 'error',
      from: { path: '^engine/' },
      to: { path: '^domain/', pathNot: '^domain/(decider|ids)\\.ts$' },
    },
    {
      name: 'drivers-stay-in-infrastructure',
      severity: 'error',
      from: { pathNot: '^(infrastructure|test|bench)/' },
      to: { path: 'node_modules/(libsql|mongodb|@eventstore|@grpc|undici|ipaddr\\.js)/' },
    },
    {
      name: 'fastify-in-one-adapter',
      severity: 'error',
      from: { pathNot: '^(api/http|infrastructure/sandbox|bench|test)/' },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
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
