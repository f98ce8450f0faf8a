const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-circles', 'Modules form a tree, not a knot.', {}, { circular: true }),
    rule(
      'no-service-imports-a-service',
      'Services meet over the network or by events, never by import.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    rule(
      'gateway-imports-packages-only',
      'The edge knows no service.',
      { path: '^gateway/src/' },
      { path: '^(services|infra|bench)/' },
    ),
    rule(
      'services-import-packages-only',
      'A service knows neither the edge nor the fleet.',
      { path: '^services/[^/]+/src/' },
      { path: '^(gateway|infra|bench|packages/testkit|packages/client)/' },
    ),
    rule(
      'packages-do-not-look-up',
      'Packages know no service and no fleet.',
      { path: '^packages/(?!testkit/)[^/]+/src/' },
      { path: '^(gateway|services|infra|bench|packages/testkit)/' },
    ),
    rule(
      'contracts-know-nobody',
      'Contracts are data; they depend on zod alone.',
      { path: '^packages/contracts/src/' },
      { path: '^packages/(?!contracts/)' },
    ),
    rule(
      'contracts-depend-on-zod-alone',
      'Contracts are data; they depend on zod alone.',
      { path: '^packages/contracts/src/' },
      { dependencyTypes: ['npm'], pathNot: 'node_modules/zod/' },
    ),
    rule(
      'service-and-client-know-contracts',
      'service and client stand on contracts.',
      { path: '^packages/(service|client)/src/' },
      { path: '^packages/(?!contracts/|service/|client/)' },
    ),
    rule(
      'database-stands-low',
      'database may know contracts.',
      { path: '^packages/database/src/' },
      { path: '^packages/(?!contracts/|database/)' },
    ),
    rule(
      'events-and-jobs-stand-on-database',
      'events and jobs may know contracts and database.',
      { path: '^packages/(events|jobs)/src/' },
      { path: '^packages/(?!contracts/|database/|events/|jobs/)' },
    ),
    rule(
      'outbound-stands-alone',
      'outbound may know contracts.',
      { path: '^packages/outbound/src/' },
      { path: '^packages/(?!contracts/|outbound/)' },
    ),
    rule(
      'only-tests-and-the-local-fleet-use-the-testkit',
      'The testkit is for development.',
      { pathNot: '(^packages/testkit/|/test/|^infra/|^bench/)' },
      { path: '^packages/testkit/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/generated/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
}
