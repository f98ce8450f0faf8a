import { randomBytes } from 'node:crypto'

/** Superuser's URL of the PostgreSQL that Jest's setup started. @throws Error saying why there is none */
export function testPostgres(): string {
  return requireVariable('WP_TEST_POSTGRES')
}

/**
 * The NATS that Jest's setup started, and a shard name that nobody else has: streams are named after their shard
 * (`EVENTS_<shard>`), so test files share one server without meeting. A test that stops or wipes NATS starts its own
 * with `startNats()`.
 *
 * @throws Error saying why there is no NATS
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
