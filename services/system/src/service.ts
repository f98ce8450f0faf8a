import { system, systemUsage } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import * as operations from './operations/index.ts'
import { sealedVariables } from './store/sealed-variables.ts'

export function createService(context: Context): Service {
  const { database, bus, cells, sealer } = context
  return {
    surfaces: [bindSurface(system, operations, context), bindSurface(systemUsage, operations, context)],
    database,
    bus,
    cells,
    sealing: { sealer, stores: [sealedVariables(database.worker)] },
  }
}
