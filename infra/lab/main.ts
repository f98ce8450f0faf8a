// `npm run lab -- <command> [options]` runs what takes longer than tests: faults, generated requests, repeated tests.
// Exits with 1 if something that was promised does not hold.

import { mutants } from './src/chaos/mutants.ts'
import {
  defineCommand,
  flagOption,
  listOption,
  numberOption,
  runCommands,
  seedOption,
  textOption,
} from './src/commands.ts'
import { faultNames, sinkNames } from './src/names.ts'

await runCommands(
  'npm run lab --',
  {
    chaos: defineCommand({
      summary: `Takes each thing away from a fleet under load, and checks what was promised.
A wrong result is printed with the entry of the history, which is kept.`,
      options: {
        seed: seedOption(),
        // Workspaces may have 100 integrations, of which these operations create fewer.
        operations: numberOption('creations during each fault', 400, [60, 1_000]),
        fault: listOption('only this fault', faultNames),
        mutant: textOption('plants a defect in the histories, which must be reported', Object.keys(mutants)),
        previous: textOption('a checkout of the previous release, with dependencies, to run beside this one'),
        record: flagOption('writes the results to docs/chaos.md'),
      },
      run: async (options) => (await import('./src/chaos/run-chaos.ts')).runChaos(options),
    }),
    destinations: defineCommand({
      summary: `Writes records to event destinations of every type while everything is killed, and checks what arrived.
Apache Kafka is tried if \`npm run kafka\` has stored it.`,
      options: {
        seed: seedOption(),
        records: numberOption('records of the audit log, and as many events', 10_000, [100, 100_000]),
        rounds: numberOption('kills of each process and server, and of all at once', 3, [1, 20]),
        sink: listOption('only this type', sinkNames),
      },
      run: async (options) => (await import('./src/destinations/run-destinations.ts')).runDestinations(options),
    }),
    fuzz: defineCommand({
      summary: 'Sends generated requests to a fleet: single ones, and sequences of two workspaces.',
      options: {
        runs: numberOption('sequences, with 25 times as many single requests', 200, [1, 100_000]),
        seed: seedOption(),
      },
      run: async (options) => (await import('./src/fuzz.ts')).fuzz(options),
    }),
    'openapi-fuzz': defineCommand({
      summary: 'Sends generated requests of docs/openapi.json by Schemathesis, and checks the responses against it.',
      options: {
        cases: numberOption('generated requests of an operation', 100, [1, 10_000]),
        minutes: numberOption('longest time of each run of Schemathesis', 10, [1, 600]),
        phases: listOption('phases of a run of Schemathesis; default: examples,fuzzing and then coverage'),
        operation: listOption('only this operation, by its id'),
        seed: numberOption('repeats the requests', 1, [0, 2 ** 31 - 1]),
      },
      run: async (options) => (await import('./src/openapi-fuzz/fuzz-document.ts')).fuzzDocument(options),
    }),
    'openapi-generators': defineCommand({
      summary: 'Generates clients of docs/openapi.json with public generators, and calls a fleet with them.',
      words: { help: 'parts of the names of generators, default all' },
      options: {},
      async run(_, wanted) {
        const { callWithGeneratedClients } = await import('./src/openapi-generators/call-with-generated-clients.ts')
        return await callWithGeneratedClients(wanted)
      },
    }),
    soak: defineCommand({
      summary: 'Repeats the tests beside busy processes, and reports the failure rate of each test.',
      words: { help: 'the tests whose path matches, default all' },
      options: {
        runs: numberOption('runs', 5, [1, 100]),
        busy: numberOption('processes that keep a processor busy', 2, [0, 64]),
      },
      run: async (options, paths) => (await import('./src/soak/run-soak.ts')).runSoak(options, paths),
    }),
  },
  process.argv.slice(2),
)
