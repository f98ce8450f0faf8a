import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailbox, startReceiver, startTestFleet, startTestServers } from '@wp/testkit'
import { makeCredentials } from './credentials.ts'
import { type Generator, type GeneratorInput, type GeneratorResult, ToolUnavailable } from './generator.ts'
import { goGenerator } from './go.ts'
import { javaGenerator } from './java.ts'
import { pythonGenerator } from './python.ts'
import { typescriptGenerator } from './typescript.ts'

const root = join(import.meta.dirname, '../../../..')
const generators: readonly Generator[] = [typescriptGenerator, pythonGenerator, goGenerator, javaGenerator]

/**
 * Generates clients from docs/openapi.json with public generators, compiles them, and calls a local fleet with them:
 * creates a data source, uploads, searches, and exchanges tokens of every form. Leaves out generators that cannot be
 * installed, with the reason.
 *
 * @param wanted parts of the names of generators; none means all
 * @returns false if a generated client failed
 */
export async function callWithGeneratedClients(wanted: readonly string[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-generators-'))
  const cache = join(root, 'node_modules/.cache/openapi-generators')
  await mkdir(cache, { recursive: true })
  const servers = await startTestServers()
  const [mailbox, documents] = await Promise.all([startMailbox(), startReceiver()])
  const fleet = await startTestFleet({
    services: ['auth', 'system', 'data'],
    env: { auth: { SMTP_URL: mailbox.url, OUTBOUND_CA_FILE: documents.caFile } },
  })
  try {
    const input: GeneratorInput = {
      document: join(root, 'docs/openapi.json'),
      cache,
      folder,
      credentials: () => makeCredentials({ fleet, mailbox, documents }),
    }
    const chosen = generators.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
    const results = []
    for (const generator of chosen) {
      const result = await runGenerator(generator, input)
      print(result)
      results.push(result)
    }
    return results.every((result) => typeof result === 'string' || result.failure === undefined)
  } finally {
    await fleet.stop()
    await Promise.all([mailbox.close(), documents.close()])
    await servers.stop()
    await rm(folder, { recursive: true })
  }
}

async function runGenerator(generator: Generator, input: GeneratorInput): Promise<GeneratorResult | string> {
  try {
    return await generator.run(input)
  } catch (error) {
    if (error instanceof ToolUnavailable) return `${generator.name}: left out: ${error.message}`
    throw error
  }
}

function print(result: GeneratorResult | string): void {
  if (typeof result === 'string') return void process.stdout.write(`${result}\n`)
  const { name, version, generated, compiled, calls, failure } = result
  process.stdout.write(`${name} ${version}: ${generated}, compiled: ${compiled}, ${calls.length} calls\n`)
  if (calls.length > 0) process.stdout.write(`  ${calls.join('; ')}\n`)
  if (failure !== undefined) process.stdout.write(`  FAILED ${failure}\n`)
}
