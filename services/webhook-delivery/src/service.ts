import { webhookDelivery } from '@wp/contracts'
import { createRelay, createRetention } from '@wp/events'
import { bind, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createFanOut } from './fan-out.ts'
import { operations } from './operations/index.ts'
import { createDeliveryRetention } from './worker/delivery-retention.ts'
import { createDispatcher } from './worker/dispatcher.ts'
import { createDueGauge } from './worker/due-gauge.ts'

export function createService(context: Context): Service {
  const { database, bus, outbound, log, metrics } = context
  return {
    surfaces: [bind(webhookDelivery, operations, context)],
    workers: [
      createRelay({ database, bus, service: 'webhook-delivery', log, metrics }),
      createFanOut(context),
      createDispatcher(context),
      createDeliveryRetention(context),
      createRetention({ database, service: 'webhook-delivery', log, metrics }),
      createDueGauge(context),
    ],
    ready: database.hasSchema,
    async close() {
      outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
