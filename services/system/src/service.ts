import { system } from '@wp/contracts'
import { createRelay, createRetention } from '@wp/events'
import { bind, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'

export function createService(context: Context): Service {
  const { database, bus, log, metrics } = context
  return {
    surfaces: [bind(system, operations, context)],
    workers: [
      createRelay({ database, bus, service: 'system', log, metrics }),
      createRetention({ database, service: 'system', log }),
    ],
    ready: database.hasSchema,
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
