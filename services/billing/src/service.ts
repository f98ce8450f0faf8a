import { billingInternal, billingPlans, billingUsage } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { internalOperations, planOperations, usageOperations } from './operations/index.ts'
import { createLimitChecker } from './usage/limit-checker.ts'
import { createUsageConsumer } from './usage/usage-consumer.ts'

export function createService(context: Context): Service {
  const { bus, cells, now, log, metrics } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(billingPlans, planOperations, context),
      bindSurface(billingUsage, usageOperations, context),
      bindSurface(billingInternal, internalOperations, context),
    ],
    database,
    bus,
    cells,
    workers: [
      ...[bus, ...cells].map((cell) => createUsageConsumer({ database, bus: cell, log, metrics })),
      createLimitChecker({ database, now, log }),
    ],
    async close() {
      await Promise.all([bus, ...cells].map((each) => each.close()))
      await database.close()
    },
  }
}
