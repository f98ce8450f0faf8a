import { type Nats, type Postgres, startNats, startPostgres } from '@wp/testkit'

export interface BenchServers {
  postgres: Postgres
  nats: Nats
  stop(): Promise<void>
}

/** Starts PostgreSQL and NATS for one benchmark and sets the environment variables by which the testkit finds them. */
export async function startServers(): Promise<BenchServers> {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  process.env.WP_TEST_POSTGRES = postgres.url
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = `bench${process.pid}`
  return {
    postgres,
    nats,
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
    },
  }
}
