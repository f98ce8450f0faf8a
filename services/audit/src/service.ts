import { audit } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'
import { createRecorder } from './recorder.ts'

export function createService(context: Context): Service {
  const { database, bus } = context
  return {
    surfaces: [bindSurface(audit, operations, context)],
    database,
    bus,
    workers: [createRecorder(context)],
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
