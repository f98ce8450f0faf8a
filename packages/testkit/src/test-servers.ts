import { randomBytes } from 'node:crypto'

/** Returns the superuser's URL of the PostgreSQL of the test run. @throws Error with the reason if there is none */
export function testPostgres(): string {
  return requireVariable('WP_TEST_POSTGRES')
}

/**
 * Returns the URL of the NATS server of the test run and a unique shard. Streams are named by shard (`EVENTS_<shard>`),
 * so test files share the server without conflicts. A test that stops or wipes NATS starts another server with
 * `startNats()`.
 *
 * @throws Error with the reason if there is none
 */
export function testNats(): { url: string; shard: string } {
  return { url: requireVariable('WP_TEST_NATS'), shard: `t${randomBytes(7).toString('hex')}` }
}

function requireVariable(name: string): string {
  const url = process.env[name]
  if (url) return url
  throw new Error(
    process.env[`${name}_MISSING`] ?? `${name} is not set: run this test by Jest with the project's configuration`,
  )
}
