import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestFleet, startTestServers, type TestFleet } from '@wp/testkit'
import { ToolUnavailable } from '../openapi-generators/generator.ts'
import { lastLines } from '../openapi-generators/run-program.ts'
import { queryDatabase } from '../query-database.ts'
import { type Counts, findingsOf, reportOf } from './report.ts'
import {
  installSchemathesis,
  omittedChecks,
  omittedOperations,
  runSchemathesis,
  schemathesisVersion,
} from './schemathesis.ts'

export interface FuzzOptions {
  /** Generated requests of an operation. */
  cases: number
  /** Longest time of each run of Schemathesis. */
  minutes: number
  /** The phases of each run of Schemathesis; default two runs. */
  phases: readonly string[]
  /** Ids of operations; none means all. */
  operation: readonly string[]
  seed: number
}

const root = join(import.meta.dirname, '../../../..')
const cache = join(root, 'node_modules/.cache/openapi-fuzz')
const defaultPhases = ['examples,fuzzing', 'coverage']

/**
 * Sends generated requests of docs/openapi.json to a local fleet by Schemathesis, checks each response against the
 * document, and prints a table for each run.
 *
 * @returns false if a check failed; true also where Schemathesis cannot be installed
 */
export async function fuzzDocument(options: FuzzOptions): Promise<boolean> {
  await mkdir(cache, { recursive: true })
  const program = await install()
  return program === undefined || (await run(program, options))
}

async function install(): Promise<string | undefined> {
  try {
    return await installSchemathesis(cache)
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error
    process.stdout.write(`left out: ${error.message}\n`)
    return undefined
  }
}

async function run(
  program: string,
  { cases, minutes, phases: chosen, operation, seed }: FuzzOptions,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-fuzz-'))
  const servers = await startTestServers()
  const fleet = await startTestFleet()
  const tokens = await startTokenServer(fleet)
  let findings = 0
  try {
    process.stdout.write(`Schemathesis ${schemathesisVersion}, seed ${seed}\n`)
    for (const [name, reason] of Object.entries({ ...omittedChecks, ...omittedOperations }))
      process.stdout.write(`left out: ${name}: ${reason}\n`)
    for (const phases of chosen.length > 0 ? chosen : defaultPhases) {
      const { output, errors } = await runSchemathesis(program, {
        folder,
        document: join(root, 'docs/openapi.json'),
        baseUrl: fleet.baseUrl,
        tokenUrl: tokens.url,
        phases,
        casesPerOperation: cases,
        minutes,
        seed,
        operations: operation,
      })
      const counts: Counts = await readFile(join(folder, 'counts.json'), 'utf8').then(JSON.parse)
      if (counts.operations.length === 0) throw new Error(`no request was sent: ${lastLines(output + errors)}`)
      process.stdout.write(`${phases}\n\n${reportOf(counts)}\n\n`)
      findings += findingsOf(counts)
    }
    return findings === 0
  } finally {
    tokens.close()
    await fleet.stop()
    await servers.stop()
    await rm(folder, { recursive: true })
  }
}

/**
 * Serves an access token of the owner of a workspace as text. A token that the run has revoked is replaced; a workspace
 * that it has made unusable, too.
 */
async function startTokenServer(fleet: TestFleet): Promise<{ url: string; close(): void }> {
  let owner = fleet.owner
  let count = 0
  const issue = () => fleet.userToken(owner.ownerId, { workspaceId: owner.workspaceId })
  const isUsable = async (candidate: string) =>
    (await fleet.request('GET', '/v1/data/sources?limit=1', { as: candidate })).status === 200
  await raiseLimits(fleet)
  let token = await issue()

  async function current(): Promise<string> {
    if (await isUsable(token)) return token
    token = await issue()
    if (await isUsable(token)) return token
    count += 1
    owner = await fleet.seed(`fuzz-${count}`)
    await raiseLimits(fleet)
    token = await issue()
    return token
  }

  // Requests wait for each other, so that one token is replaced once.
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((_request, response) => {
    const next = last.then(current)
    last = next.catch(() => undefined)
    next.then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Raises the rate limits of all workspaces: one credential sends all requests. */
async function raiseLimits(fleet: TestFleet): Promise<void> {
  const statement = 'UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000'
  await queryDatabase(fleet.databases.get('auth')?.adminUrl, statement)
}
