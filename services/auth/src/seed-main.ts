import { readFile, writeFile } from 'node:fs/promises'
import { createLogger, readConfig } from '@wp/service'
import { z } from 'zod'
import type { SeedOptions } from './seed/options.ts'
import { type SeedResult, seed } from './seed/seed.ts'

const seedVariables = z.object({
  SEED_WORKSPACE_NAME: z.string().default('First workspace'),
  SEED_OWNER_EMAIL: z.string(),
  SEED_WORKSPACE_ID: z.string().optional(),
  SEED_CLIENT_ID: z.string().optional(),
  SEED_CLIENT_SECRET: z.string().optional(),
  SEED_API_KEY: z.string().optional(),
  /** JSON file for the credentials. */
  SEED_OUTPUT_FILE: z.string().optional(),
})

// Process edge of the one-off seeding, run by compose or an operator before the first start.
const log = createLogger('auth-seed', 'info')
try {
  const { options, outputFile } = readSeedSettings(process.env)
  const seeded = await seed(process.env, options)
  const { client_secret, api_key, ...publicResult } = seeded
  const created = { client: client_secret !== null, key: api_key !== null }
  log.info({ event: 'workspace.seeded', ...publicResult, created }, 'workspace seeded')
  if (outputFile !== undefined) await writeCredentials(outputFile, seeded)
} catch (err) {
  log.fatal({ event: 'workspace.seed_failed', err }, 'failed to seed the workspace')
  process.exitCode = 1
}

/** Merges new credentials into the file; secrets of an earlier run are kept. Only the file's owner can read it. */
async function writeCredentials(file: string, seeded: SeedResult): Promise<void> {
  const earlier = await readFile(file, 'utf8').then(parse, () => ({}))
  const newCredentials = Object.entries(seeded).filter(([, value]) => value !== null)
  const json = JSON.stringify({ ...earlier, ...Object.fromEntries(newCredentials) }, null, 2)
  await writeFile(file, `${json}\n`, { mode: 0o600 })
}

function parse(text: string): object {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** Reads the seed options from the environment. @throws ConfigError naming the missing variables */
function readSeedSettings(env: Readonly<Record<string, string | undefined>>): {
  options: SeedOptions
  outputFile: string | undefined
} {
  const variables = readConfig(seedVariables, env)
  const optional = {
    workspaceId: variables.SEED_WORKSPACE_ID,
    clientId: variables.SEED_CLIENT_ID,
    clientSecret: variables.SEED_CLIENT_SECRET,
    apiKey: variables.SEED_API_KEY,
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  const options = { workspaceName: variables.SEED_WORKSPACE_NAME, ownerEmail: variables.SEED_OWNER_EMAIL, ...present }
  return { options, outputFile: variables.SEED_OUTPUT_FILE }
}
