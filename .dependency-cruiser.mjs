const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-circular-imports', 'Modules do not import each other in a circle.', {}, { circular: true }),
    {
      ...rule('no-circular-folders', 'Folders do not import each other in a circle.', {}, { circular: true }),
      scope: 'folder',
    },
    rule(
      'store-is-the-lowest-layer',
      'A store owns its row types and imports no other folder of its service.',
      { path: '^services/([^/]+)/src/store/' },
      { path: '^services/$1/src/', pathNot: '^services/$1/src/(store|generated)/' },
    ),
    rule(
      'no-service-imports-a-service',
      'Services call each other over the network or by events, never by import.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    rule(
      'gateway-imports-packages-only',
      'The edge imports no service.',
      { path: '^gateway/src/' },
      { path: '^(services|infra|bench)/' },
    ),
    rule(
      'services-import-packages-only',
      'A service imports neither the edge nor the local fleet.',
      { path: '^services/[^/]+/src/' },
      { path: '^(gateway|infra|bench|packages/testkit)/' },
    ),
    rule(
      'services-import-no-client',
      'Services use internal calls. Only the console calls the public API, for its users.',
      { path: '^services/(?!console/)[^/]+/src/' },
      { path: '^packages/client/' },
    ),
    rule(
      'packages-import-no-service',
      'Packages import no service and no local fleet.',
      { path: '^packages/(?!testkit/)[^/]+/src/' },
      { path: '^(gateway|services|infra|bench|packages/testkit)/' },
    ),
    rule(
      'contracts-import-no-package',
      'Contracts are data and depend on zod alone.',
      { path: '^packages/contracts/src/' },
      { path: '^packages/(?!contracts/)' },
    ),
    rule(
      'contracts-depend-on-zod-alone',
      'Contracts are data and depend on zod alone.',
      { path: '^packages/contracts/src/' },
      { dependencyTypes: ['npm'], pathNot: 'node_modules/zod/' },
    ),
    rule(
      'service-imports-the-platform-packages',
      'service imports contracts, runtime, database, events and jobs only; none of these imports service.',
      { path: '^packages/service/src/' },
      { path: '^packages/(?!contracts/|runtime/|database/|events/|jobs/|service/)' },
    ),
    rule(
      'service-imports-types-of-database',
      'The gateway runs without Prisma, so service imports types of database, its statements of limits, and its errors.',
      { path: '^packages/service/src/' },
      {
        path: '^packages/database/',
        pathNot: '^packages/database/src/(quota/|transaction/retry-on-conflict)',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'client-imports-contracts',
      'client imports contracts only.',
      { path: '^packages/client/src/' },
      { path: '^packages/(?!contracts/|client/)' },
    ),
    rule(
      'cli-imports-client-and-contracts',
      'cli imports client and contracts only.',
      { path: '^packages/cli/src/' },
      { path: '^packages/(?!contracts/|client/|cli/)' },
    ),
    rule(
      'runtime-is-the-lowest-layer',
      'runtime imports nothing but Node.js.',
      { path: '^packages/runtime/src/' },
      { pathNot: '^packages/runtime/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'tabular-imports-no-package',
      'tabular reads cells and columns: functions over text that know nothing of the platform.',
      { path: '^packages/tabular/src/' },
      { path: '^packages/(?!tabular/)' },
    ),
    rule(
      'database-imports-contracts-and-runtime',
      'database imports contracts and runtime only.',
      { path: '^packages/database/src/' },
      { path: '^packages/(?!contracts/|runtime/|database/)' },
    ),
    rule(
      'events-and-jobs-import-database',
      'events and jobs import contracts, runtime and database only; jobs imports events.',
      { path: '^packages/(events|jobs)/src/' },
      { path: '^packages/(?!contracts/|runtime/|database/|events/|jobs/)' },
    ),
    rule(
      'outbound-imports-contracts-and-runtime',
      'outbound imports contracts and runtime only.',
      { path: '^packages/outbound/src/' },
      { path: '^packages/(?!contracts/|runtime/|outbound/)' },
    ),
    rule(
      'rate-limit-imports-events',
      'rate-limit imports contracts, runtime and events only.',
      { path: '^packages/rate-limit/src/' },
      { path: '^packages/(?!contracts/|runtime/|events/|rate-limit/)' },
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
    exclude: { path: '/generated/|/web/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
}
