import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { readComposeImage } from './compose-image.ts'
import { type ServerContainer, startContainer } from './container.ts'
import { commonSettings, localeArguments, temporaryInitArguments, temporarySettings } from './postgres-settings.ts'

/**
 * Starts the database's image of docker-compose.yml, with the settings of the embedded server and its data in memory.
 */
export async function startPostgresContainer(): Promise<ServerContainer & { image: string; url: string }> {
  const image = readComposeImage('postgres')
  const password = randomBytes(18).toString('base64url')
  const initArguments = [...localeArguments('linux'), ...temporaryInitArguments]
  const container = await startContainer({
    image,
    port: 5432,
    command: ['postgres', ...[...commonSettings, ...temporarySettings].flatMap((setting) => ['-c', setting])],
    environment: { POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: initArguments.join(' ') },
    inMemory: '/var/lib/postgresql',
  })
  const url = `postgres://postgres:${password}@${container.host}:${container.port}/postgres`
  await eventually(() => acceptsQueries(url), { timeoutMs: 120_000, description: `${image} accepting queries` })
  return { ...container, image, url }
}

async function acceptsQueries(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } finally {
    await client.end()
  }
}
