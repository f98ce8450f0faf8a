import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { findContainerProblem, startContainer } from './container.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

export type PostgresOptions = {
  /** Folder that keeps the data; without it, a scratch folder (in memory where there is room), removed at the end. */
  dataDir?: string
  /** Port on 127.0.0.1; without it, a free one. */
  port?: number
  /** Durable settings and an orderly end: for data that must survive. Needs `dataDir`. */
  persistent?: boolean
  /** Any server will do, nobody restarts it: TEST_POSTGRES_URL, else a container, else the embedded one. */
  shared?: boolean
  /** Takes one line about what is done and why. */
  log?: (line: string) => void
}

export type Postgres = {
  /** Superuser's URL of the database `postgres`. */
  url: string
  host: string
  port: number
  source: 'env' | 'container' | 'embedded'
  /** Ends the server at once with this signal (default SIGKILL, a crash) and waits for its end. Embedded only. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops it in order if it runs and starts it again on the same port with the same data. Embedded only. */
  restart(): Promise<void>
  /** Ends it; data in a scratch folder is gone. A server named by the environment is left alone. */
  stop(): Promise<void>
}

const image = 'postgres:18-bookworm'

/**
 * A real PostgreSQL 18. By default the embedded one with a cluster of its own, ready after about 0.5 s, the same as
 * root and as ordinary user. It ends with this process.
 *
 * @throws Error when the port is taken, the folder is in use, or the server does not come up (with the end of its log)
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { log = () => {}, shared = false, ...embedded } = options
  if (embedded.persistent && embedded.dataDir === undefined) throw new Error('a persistent PostgreSQL needs a dataDir')
  if (shared) {
    const configuredUrl = process.env.TEST_POSTGRES_URL
    if (configuredUrl) return fromEnvironment(configuredUrl)
    const container = await tryContainer(log)
    if (container) return container
  }
  const { port, password, kill, restart, stop } = await startEmbeddedPostgres(embedded)
  log(`PostgreSQL: embedded, on 127.0.0.1:${port}${embedded.dataDir ? `, data in ${embedded.dataDir}` : ''}`)
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  return { url, host: '127.0.0.1', port, source: 'embedded', kill: (signal = 'SIGKILL') => kill(signal), restart, stop }
}

function fromEnvironment(url: string): Postgres {
  const { hostname, port } = new URL(url)
  return { url, host: hostname, port: Number(port || 5432), source: 'env', ...externalServer, stop: async () => {} }
}

async function tryContainer(log: (line: string) => void): Promise<Postgres | undefined> {
  const reason = findContainerProblem(image)
  if (reason !== undefined) {
    log(`PostgreSQL: ${reason}, so the embedded one`)
    return undefined
  }
  try {
    const password = randomBytes(18).toString('base64url')
    const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300']
    const command = ['postgres', ...settings.flatMap((setting) => ['-c', setting])]
    const environment = { POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: '--no-sync --locale=C.UTF-8' }
    const inMemory = '/var/lib/postgresql'
    const { host, port, stop } = await startContainer({ image, port: 5432, command, environment, inMemory })
    const url = `postgres://postgres:${password}@${host}:${port}/postgres`
    await eventually(() => acceptsQueries(url), { timeoutMs: 30_000, description: `an answer of ${image}` })
    log(`PostgreSQL: container ${image} on ${host}:${port}`)
    return { url, host, port, source: 'container', ...externalServer, stop }
  } catch (error) {
    log(`PostgreSQL: the container failed (${error instanceof Error ? error.message : error}), so the embedded one`)
    return undefined
  }
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

const rejectShared = async () => {
  throw new Error('this PostgreSQL is shared: a test that stops one starts its own with startPostgres()')
}
const externalServer = { kill: rejectShared, restart: rejectShared }
