import type { agents, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Reports `degraded` while the database or the broker is unavailable. */
export const health: Operation<typeof agents.health, Context> = async ({ database, bus }) => {
  const isReached = await database.ping().then(
    () => true,
    () => false,
  )
  return { status: isReached && bus.isConnected ? 'ok' : 'degraded' }
}
