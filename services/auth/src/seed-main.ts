import { readFile, writeFile } from 'node:fs/promises'
import { createLogger } from '@wp/service'
import { type Seeded, seed } from './seed/seed.ts'
import { seedSettings } from './seed/settings.ts'

// The process that seeds once: compose and an operator run it before the first start.
const log = createLogger('auth-seed', 'info')
try {
  const { options, outputFile } = seedSettings(process.env)
  const seeded = await seed(process.env, options)
  const { client_secret, api_key, ...facts } = seeded
  log.info({ ...facts, made: { client: client_secret !== null, key: api_key !== null } }, 'seeded')
  if (outputFile !== undefined) await keepCredentials(outputFile, seeded)
} catch (err) {
  log.fatal({ err }, 'could not seed')
  process.exitCode = 1
}

/** What a later run is not shown again stays as an earlier run wrote it. Readable by its owner alone. */
async function keepCredentials(file: string, seeded: Seeded): Promise<void> {
  const earlier = await readFile(file, 'utf8').then(parse, () => ({}))
  const known = Object.entries(seeded).filter(([, value]) => value !== null)
  const json = JSON.stringify({ ...earlier, ...Object.fromEntries(known) }, null, 2)
  await writeFile(file, `${json}\n`, { mode: 0o600 })
}

function parse(text: string): object {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? value : {}
}
