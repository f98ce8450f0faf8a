import { system } from '@wp/contracts'
import { createLoop, createRelay, createRetention } from '@wp/events'
import { bindSurface, createRotateEncryptionPass, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'
import { sealedVariables } from './store/sealed-variables.ts'

export function createService(context: Context): Service {
  const { database, bus, cells, sealer, log, metrics } = context
  const reseal = createRotateEncryptionPass({ sealer, stores: [sealedVariables(database.worker)], log, metrics })
  return {
    surfaces: [bindSurface(system, operations, context)],
    workers: [
      createRelay({ database, bus, cells, service: 'system', log, metrics }),
      createRetention({ database, service: 'system', log }),
      createLoop({ name: 'resealing', pass: reseal, pollMs: 600_000, log }),
    ],
    ready: database.hasSchema,
    async close() {
      await Promise.all([bus, ...cells].map((each) => each.close()))
      await database.close()
    },
  }
}
