import { webhookDelivery } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bind, createResealPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createFanOut } from './fan-out.ts'
import { operations } from './operations/index.ts'
import { createReplayRunner } from './replays/runner.ts'
import { sealedSubscriptions } from './store/sealed-subscriptions.ts'
import { createConclusions } from './worker/conclusions.ts'
import { createDeliveryRetention } from './worker/delivery-retention.ts'
import { createDispatcher } from './worker/dispatcher.ts'
import { createDueGauge } from './worker/due-gauge.ts'
import { createTurns } from './worker/turns.ts'

export function createService(context: Context): Service {
  const { database, bus, outbound, sealer, log, metrics } = context
  const reseal = createResealPass({ sealer, stores: [sealedSubscriptions(database.worker)], log, metrics })
  const conclusions = createConclusions(context)
  const fanOut = createFanOut(context)
  const turns = createTurns(context, fanOut)
  return {
    surfaces: [bind(webhookDelivery, operations, context)],
    workers: [
      createRelay({ database, bus, service: 'webhook-delivery', log, metrics }),
      fanOut,
      createDispatcher(context, { conclusions: conclusions.wake, turns: turns.wake }),
      turns,
      conclusions,
      createReplayRunner(context),
      createDeliveryRetention(context),
      createRetention({ database, service: 'webhook-delivery', log, metrics }),
      createDueGauge(context),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    async close() {
      outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
