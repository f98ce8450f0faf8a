import { billingPlans } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { planOperations } from './operations/index.ts'

export function createService(context: Context): Service {
  const { bus, cells } = context
  const database = context.database.background
  return {
    surfaces: [bindSurface(billingPlans, planOperations, context)],
    database,
    bus,
    cells,
    async close() {
      await Promise.all([bus, ...cells].map((each) => each.close()))
      await database.close()
    },
  }
}
