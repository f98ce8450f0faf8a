import { randomBytes } from 'node:crypto'
import { type Nats, startNats } from '../servers/nats.ts'
import { type Postgres, startPostgres } from '../servers/postgres.ts'

export type TestServers = { postgres: Postgres | undefined; nats: Nats | undefined }

/**
 * Starts PostgreSQL and NATS once for the whole run and tells the test files where by `WP_TEST_POSTGRES` and
 * `WP_TEST_NATS`. One that can't be had is said in a line and stays unset: pure tests run, and those that need it fail
 * with the same reason, from `WP_TEST_POSTGRES_MISSING` or `WP_TEST_NATS_MISSING`.
 */
export default async function setup(): Promise<void> {
  const started = performance.now()
  process.env.WP_TEST_RUN = randomBytes(3).toString('hex')
  exitOnSignals()
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const [postgres, nats] = await Promise.all([
    startOrRecordReason('WP_TEST_POSTGRES', startPostgres({ shared: true, log })),
    startOrRecordReason('WP_TEST_NATS', startNats({ shared: true, log })),
  ])
  storeServers({ postgres, nats })
  process.stderr.write(`${lines.join('. ')}. ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

async function startOrRecordReason<Server extends { url: string }>(name: string, starting: Promise<Server>) {
  try {
    const server = await starting
    process.env[name] = server.url
    return server
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.env[`${name}_MISSING`] = reason
    process.stderr.write(`ERROR: ${reason}\n`)
    return undefined
  }
}

/** A signal alone ends a process without its `exit` event, which is what ends the servers. */
function exitOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(code))
  }
}

function storeServers(servers: TestServers): void {
  Object.assign(globalThis, { wpTestServers: servers })
}
