// `npm run openapi:fuzz -- --cases 100 --minutes 10` sends generated requests of docs/openapi.json to a local fleet by
// Schemathesis and checks each response against the document: up to 100 cases of an operation by chance, then those of
// the phase `coverage`, each for 10 minutes at most. Prints a table for each and exits with 1 if a check fails.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestFleet, startTestServers } from '@wp/testkit'
import { ToolUnavailable } from '../openapi-generators/generator.ts'
import { lastLines } from '../openapi-generators/run-program.ts'
import { omittedChecks, omittedOperations } from './checks.ts'
import { type Counts, findingsOf, reportOf } from './report.ts'
import { installSchemathesis, runSchemathesis, schemathesisVersion } from './schemathesis.ts'
import { startTokenServer } from './token-server.ts'

const root = join(import.meta.dirname, '../../..')
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '10' },
    phases: { type: 'string', multiple: true, default: ['examples,fuzzing', 'coverage'] },
    operation: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
  },
})

const cache = join(root, 'node_modules/.cache/openapi-fuzz')
await mkdir(cache, { recursive: true })
const program = await install()
if (program !== undefined) await run(program)

async function install(): Promise<string | undefined> {
  try {
    return await installSchemathesis(cache)
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error
    process.stdout.write(`left out: ${error.message}\n`)
    return undefined
  }
}

async function run(program: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-fuzz-'))
  const servers = await startTestServers()
  const fleet = await startTestFleet()
  const tokens = await startTokenServer(fleet)
  try {
    process.stdout.write(`Schemathesis ${schemathesisVersion}, seed ${values.seed}\n`)
    for (const [name, reason] of Object.entries({ ...omittedChecks, ...omittedOperations }))
      process.stdout.write(`left out: ${name}: ${reason}\n`)
    for (const phases of values.phases) {
      const { output, errors } = await runSchemathesis(program, {
        ...{ folder, document: join(root, 'docs/openapi.json'), baseUrl: fleet.baseUrl, tokenUrl: tokens.url, phases },
        ...{ casesPerOperation: Number(values.cases), minutes: Number(values.minutes), seed: values.seed },
        operations: values.operation,
      })
      const counts: Counts = await readFile(join(folder, 'counts.json'), 'utf8').then(JSON.parse)
      if (counts.operations.length === 0) throw new Error(`no request was sent: ${lastLines(output + errors)}`)
      process.stdout.write(`${phases}\n\n${reportOf(counts)}\n\n`)
      if (findingsOf(counts) > 0) process.exitCode = 1
    }
  } finally {
    tokens.close()
    await fleet.stop()
    await servers.stop()
    await rm(folder, { recursive: true })
  }
}
