import { audit } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'
import { createRecorder } from './recorder.ts'

export function createService(context: Context): Service {
  const { bus } = context
  const database = context.database.background
  return {
    surfaces: [bindSurface(audit, operations, context)],
    database,
    bus,
    workers: [createRecorder({ ...context, database })],
    async close() {
      await bus.close()
      await database.close()
    },
  }
}
