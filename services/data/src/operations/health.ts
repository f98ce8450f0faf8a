import type { data, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Degraded: answers, but cannot reach its database, or the broker that announces what it does. */
export const health: Operation<typeof data.health, Context> = async ({ database, bus }) => {
  const isReached = await database.ping().then(
    () => true,
    () => false,
  )
  return { status: isReached && bus.isConnected ? 'ok' : 'degraded' }
}
