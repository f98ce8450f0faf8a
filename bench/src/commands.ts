import { defineCommand, flagOption, numberOption, textOption } from '@wp/lab/commands'
import { names } from './names.ts'

const secondsOption = (initial: number, help = 'seconds of each measurement') => numberOption(help, initial, [1, 60])
const credentialsOption = numberOption('API keys, and as many tokens', 10_000, [100, 200_000])

/** The benchmarks by name. What one measures is loaded when it runs. */
export const commands = {
  ai: defineCommand({
    summary: `Measures the time until the first part of a streamed reply, with the data on disk: of a run of an agent and of
a chat through the gateway, beside the same model asked directly, which answers at once.`,
    options: { rounds: numberOption('replies of each kind', 30, [5, 1_000]) },
    run: async (options) => (await import('./fleet/ai.bench.ts')).run(options),
  }),
  console: defineCommand({
    summary: `Measures the console in Chromium.
sizes: what the first load transfers, by file; times: seconds until the frame is painted and the first page can be used,
as it is, on a quarter of the processor, and on slow 3G.`,
    words: { help: 'parts, default all', choices: names.console },
    options: { rounds: numberOption('loads of each page under each condition', 5, [1, 50]) },
    run: async (options, parts) => (await import('./console.bench.ts')).run(options, parts),
  }),
  edge: defineCommand({
    summary: `Compares the gateway with bare http-proxy-middleware, @fastify/http-proxy and nginx.
Prints requests per second, processor time of a request and latency, with tokens, API keys and traces.`,
    options: { seconds: secondsOption(5), credentials: credentialsOption },
    run: async (options) => (await import('./edge.bench.ts')).run(options),
  }),
  'edge-memory': defineCommand({
    summary: "Measures the gateway's memory after one request with each of many API keys, and after as many again.",
    options: { credentials: numberOption('API keys', 100_000, [100, 200_000]) },
    run: async (options) => (await import('./edge.bench.ts')).measureMemory(options),
  }),
  fleet: defineCommand({
    summary: `Measures the whole platform under a mix of requests of many workspaces in an open loop.
mix: latency of each operation, use of each process; operations: processor time of each operation, sent alone;
ramp: the highest rate at which the 99th percentile stays below a limit.`,
    words: { help: 'parts, default all', choices: names.fleet },
    options: {
      seconds: secondsOption(20, 'seconds of the mix'),
      rate: numberOption('requests per second', 25, [1, 1_000]),
      workspaces: numberOption('workspaces', 100, [1, 1_000]),
      records: numberOption('records of each workspace', 1_000, [50, 10_000]),
      'limit-ms': numberOption('99th percentile up to which a rate is sustained', 1_000, [1, 10_000]),
      'step-seconds': secondsOption(8, 'seconds of each step of the ramp'),
      'start-rate': numberOption('first rate of the ramp', 10, [1, 1_000]),
      'max-rate': numberOption('last rate of the ramp', 1_000, [1, 5_000]),
      seed: numberOption('repeats the operations and their times', 1, [0, 2 ** 31]),
    },
    run: async (options, parts) => (await import('./fleet.bench.ts')).run(options, parts),
  }),
  forecast: defineCommand({
    summary: 'Compares forecasts of hourly series with what followed, beside the naive forecast of the week before.',
    options: { origins: numberOption('forecasts of each series', 6, [1, 6]) },
    run: async (options) => (await import('./forecast.bench.ts')).run(options),
  }),
  limits: defineCommand({
    summary: 'Counts what three gateways admit of a workspace that sends ten times its quota. Takes two minutes.',
    options: {},
    run: async () => (await import('./limits.bench.ts')).run(),
  }),
  neighbours: defineCommand({
    summary: 'Measures the times of a quiet workspace alone and beside the attacks of a hostile one.',
    words: { help: 'attacks, default all', choices: names.neighbours },
    options: { seconds: secondsOption(10) },
    run: async (options, attacks) => (await import('./neighbours.bench.ts')).run(options, attacks),
  }),
  revocation: defineCommand({
    summary: 'Measures the time from the response to a revocation to the last admission by any of three gateways.',
    words: { help: 'scenarios, default all', choices: names.revocation },
    options: { credentials: numberOption('keys, and as many sessions and members, of each scenario', 100, [1, 500]) },
    run: async (options, scenarios) => (await import('./revocation.bench.ts')).run(options, scenarios),
  }),
  scenarios: defineCommand({
    summary: 'Measures scenarios of a site with each objective, and requests of another workspace beside them.',
    options: {
      teams: numberOption('teams', 50, [1, 1_000]),
      floors: numberOption('floors', 8, [2, 100]),
      seconds: numberOption('limit of each scenario', 30, [1, 120]),
    },
    run: async (options) => (await import('./scenarios.bench.ts')).run(options),
  }),
  search: defineCommand({
    summary: `Measures latency and processor time of queries, with PostgreSQL and, if it is installed, OpenSearch, which is
also asked directly.
With a collection it measures the ranking quality instead, compared with BM25 by the book, and by meaning where
\`npm run embeddings\` has installed a model.`,
    options: {
      records: numberOption('records', 100_000, [100, 1_000_000]),
      seconds: secondsOption(5, 'seconds of each kind of query'),
      workspaces: numberOption('other workspaces, of 1,000 records each', 100, [0, 1_000]),
      collection: textOption('folder of a test collection in the format of BEIR, or multilingual: a made one'),
    },
    run: async (options) => (await import('./search.bench.ts')).run(options),
  }),
  start: defineCommand({
    summary: `Measures the time until the platform in one process is ready, on an empty folder and again, and the cores and
the memory that it uses while it does nothing.`,
    options: {
      rounds: numberOption('starts of each kind', 5, [1, 50]),
      seconds: secondsOption(30, 'seconds without requests'),
    },
    run: async (options) => (await import('./start.bench.ts')).run(options),
  }),
  sync: defineCommand({
    summary: 'Measures the rows per second and the memory of CSV uploads, beside bare INSERTs.',
    options: { rows: numberOption('rows', 1_000_000, [1_000, 10_000_000]) },
    run: async (options) => (await import('./sync.bench.ts')).run(options),
  }),
  workplace: defineCommand({
    summary: 'Measures answers about utilization through the gateway, at the design size of a workspace.',
    options: {
      spaces: numberOption('spaces', 2_000, [200, 20_000]),
      days: numberOption('days with figures', 365, [31, 1_000]),
      requests: numberOption('requests of each question', 100, [10, 10_000]),
    },
    run: async (options) => (await import('./workplace.bench.ts')).run(options),
  }),
  webhooks: defineCommand({
    summary: `Measures webhooks from the commit of an event to the receiver.
latency: at fixed rates, with the processor time of an event and its work in PostgreSQL; throughput: processor time of a
delivery, compared with an undici loop; fan-out: events/s; fairness: latency of healthy endpoints with and without a
dead one that has a backlog.`,
    words: { help: 'parts, default all', choices: names.webhooks },
    options: {
      seconds: secondsOption(8, 'seconds at each rate'),
      quick: flagOption('a tenth of all counts'),
      'in-memory': flagOption('data in memory; otherwise commits wait for the disk, as in production'),
    },
    run: async (options, parts) => (await import('./webhooks.bench.ts')).run(options, parts),
  }),
}
