import { notifications } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'

export function createService(context: Context): Service {
  const { bus } = context
  const database = context.database.background
  return {
    surfaces: [bindSurface(notifications, operations, context)],
    database,
    bus,
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
