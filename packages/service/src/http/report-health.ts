import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'

/** Returns the health of a service: `degraded` while its database or the broker is unavailable. */
export async function reportHealth({
  database,
  bus,
}: {
  database: Pick<Database, 'ping'>
  bus: Pick<Bus, 'isConnected'>
}): Promise<{ status: 'ok' | 'degraded' }> {
  const isReached = await database.ping().then(
    () => true,
    () => false,
  )
  return { status: isReached && bus.isConnected ? 'ok' : 'degraded' }
}
