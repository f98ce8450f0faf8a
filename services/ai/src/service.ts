import { agents, ai, aiInternal } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { agentOperations, aiOperations, internalOperations } from './operations/index.ts'

export function createService(context: Context): Service {
  const { bus } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(agents, agentOperations, context),
      bindSurface(ai, aiOperations, context),
      bindSurface(aiInternal, internalOperations, context),
    ],
    database,
    bus,
    workers: [],
    async close() {
      await bus.close()
      await context.modelTransports.close()
      await database.close()
    },
  }
}
