import { join } from 'node:path'
import { type Nats, startNats } from './nats.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export interface TestServers {
  postgres: Postgres
  nats: Nats
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL and NATS for a command and sets the environment variables by which the testkit finds them.
 * @param dataDir a folder on the disk that commits wait for; default: temporary data, in memory if possible
 */
export async function startTestServers(dataDir?: string): Promise<TestServers> {
  const [postgres, nats] = await Promise.all(
    dataDir === undefined
      ? [startPostgres(), startNats()]
      : [
          startPostgres({ dataDir: join(dataDir, 'postgres'), persistent: true }),
          startNats({ storeDir: join(dataDir, 'nats'), persistent: true }),
        ],
  )
  process.env.WP_TEST_POSTGRES = postgres.url
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = `run${process.pid}`
  return {
    postgres,
    nats,
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
    },
  }
}
