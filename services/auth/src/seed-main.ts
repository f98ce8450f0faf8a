import { readFile, writeFile } from 'node:fs/promises'
import { createLogger } from '@wp/service'
import { type SeedResult, seed } from './seed/seed.ts'
import { readSeedSettings } from './seed/settings.ts'

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
