import { readFile, writeFile } from 'node:fs/promises'
import { createLogger } from '@wp/service'
import { type SeedResult, seed } from './seed/seed.ts'
import { readSeedSettings } from './seed/settings.ts'

// The process that seeds once: compose and an operator run it before the first start.
const log = createLogger('auth-seed', 'info')
try {
  const { options, outputFile } = readSeedSettings(process.env)
  const seeded = await seed(process.env, options)
  const { client_secret, api_key, ...publicResult } = seeded
  log.info({ ...publicResult, made: { client: client_secret !== null, key: api_key !== null } }, 'seeded')
  if (outputFile !== undefined) await writeCredentials(outputFile, seeded)
} catch (err) {
  log.fatal({ err }, 'could not seed')
  process.exitCode = 1
}

/** What a later run is not shown again stays as an earlier run wrote it. Readable by its owner alone. */
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
