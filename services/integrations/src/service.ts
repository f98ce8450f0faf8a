import { integrations, integrationsInternal } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bindSurface, createRotateEncryptionPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'
import { sealedIntegrations } from './store/sealed-integrations.ts'

export function createService(context: Context): Service {
  const { database, bus, outside, sealer, log, metrics } = context
  const reseal = createRotateEncryptionPass({ sealer, stores: [sealedIntegrations(database.worker)], log, metrics })
  return {
    surfaces: [bindSurface({ ...integrations, ...integrationsInternal }, operations, context)],
    workers: [
      createRelay({ database, bus, service: 'integrations', log, metrics }),
      createRetention({ database, service: 'integrations', log, metrics }),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    async close() {
      outside.outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
