import { startNats, startPostgres } from '@wp/testkit'

/** A database and a broker of the benchmark's own, where the testkit looks for them. */
export async function startServers(): Promise<{ stop(): Promise<void> }> {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  process.env.WP_TEST_POSTGRES = postgres.url
  process.env.WP_TEST_NATS = nats.url
  process.env.WP_TEST_RUN = `bench${process.pid}`
  return {
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
    },
  }
}
