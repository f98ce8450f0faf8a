import { readComposeImage } from './compose-image.ts'
import { findContainerProblem } from './container.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { startPostgresContainer } from './postgres-container.ts'

export type PostgresOptions = {
  /** The data folder. Default: a temporary folder, in memory if possible. */
  dataDir?: string
  /** The port on 127.0.0.1. Default: a free port. */
  port?: number
  /** Use durable settings and stop with SIGINT, so that no data is lost. Requires `dataDir`. */
  persistent?: boolean
  /** A server that is not restarted: that of TEST_POSTGRES_URL, else a container, else the embedded one. */
  shared?: boolean
  /** Receives a line about the server that is used. */
  log?: (line: string) => void
}

export type Postgres = {
  /** The superuser's URL of the database `postgres`. */
  url: string
  host: string
  port: number
  source: 'env' | 'container' | 'embedded'
  /** Sends a signal, by default SIGKILL, and waits for the exit. Embedded servers only. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts the server on the same port with the same data. Embedded servers only. */
  restart(): Promise<void>
  /** Stops the server and removes a temporary folder. Does nothing to a server named by the environment. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL 18, by default the embedded one with a new cluster, which is ready after about 0.5 s. It is stopped
 * when this process exits.
 *
 * @throws Error if the port or the folder is in use, or the server does not start (with the end of its log)
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { log = () => {}, shared = false, ...embedded } = options
  if (embedded.persistent && embedded.dataDir === undefined)
    throw new Error('a persistent PostgreSQL requires a dataDir')
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
  const reason = findContainerProblem(readComposeImage('postgres'))
  if (reason !== undefined) {
    log(`PostgreSQL: ${reason}; using the embedded one`)
    return undefined
  }
  try {
    const { image, ...server } = await startPostgresContainer()
    log(`PostgreSQL: container ${image} on ${server.host}:${server.port}`)
    return { ...server, source: 'container', ...externalServer }
  } catch (error) {
    log(`PostgreSQL: the container failed (${error instanceof Error ? error.message : error}); using the embedded one`)
    return undefined
  }
}

const rejectShared = async () => {
  throw new Error('this PostgreSQL server is shared: start another with startPostgres() to stop it')
}
const externalServer = { kill: rejectShared, restart: rejectShared }
