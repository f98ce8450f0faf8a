import { audit } from '@wp/contracts'
import { createRetention } from '@wp/events'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'
import { createRecorder } from './recorder.ts'

export function createService(context: Context): Service {
  const { database, bus, log, metrics } = context
  return {
    surfaces: [bindSurface(audit, operations, context)],
    workers: [createRecorder(context), createRetention({ database, service: 'audit', log, metrics })],
    ready: database.hasSchema,
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
