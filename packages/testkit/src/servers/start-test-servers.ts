import { type Nats, startNats } from './nats.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export interface TestServers {
  postgres: Postgres
  nats: Nats
  stop(): Promise<void>
}

/** Starts PostgreSQL and NATS for a command and sets the environment variables by which the testkit finds them. */
export async function startTestServers(): Promise<TestServers> {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
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
