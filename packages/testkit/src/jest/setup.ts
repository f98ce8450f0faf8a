import { randomBytes } from 'node:crypto'
import { type Nats, startNats } from '../servers/nats.ts'
import { type Postgres, startPostgres } from '../servers/postgres.ts'

export type TestServers = { postgres: Postgres | undefined; nats: Nats | undefined }

/**
 * Starts PostgreSQL and NATS once for the test run and sets their URLs in `WP_TEST_POSTGRES` and `WP_TEST_NATS`. If a
 * server cannot be started, the reason is printed and stored in `WP_TEST_POSTGRES_MISSING` or `WP_TEST_NATS_MISSING`:
 * tests that need the server fail with it, and the others run.
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

/** Exits on signals, because only the `exit` event stops the servers. */
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
