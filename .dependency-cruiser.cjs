/** The layers, as docs/architecture.md draws them. Checked by `npm run lint`. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-is-pure',
      comment: 'The domain imports only the domain.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'application-knows-ports-only',
      comment: 'Use cases speak to ports; drivers and HTTP are not theirs.',
      severity: 'error',
      from: { path: '^application/' },
      to: { path: '^(infrastructure|api)/' },
    },
    {
      name: 'projections-read-events',
      comment: 'A projection knows event types and the ports, nothing else.',
      severity: 'error',
      from: { path: '^projections/' },
      to: { path: '^(infrastructure|api)/' },
    },
    {
      name: 'infrastructure-implements-ports',
      severity: 'error',
      from: { path: '^infrastructure/' },
      to: { path: '^(api|projections)/' },
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
