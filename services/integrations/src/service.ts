import { integrations, integrationsInternal } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import * as operations from './operations/index.ts'
import { sealedIntegrations } from './store/sealed-integrations.ts'

export function createService(context: Context): Service {
  const { database, bus, providerAccess, sealer } = context
  return {
    surfaces: [bindSurface({ ...integrations, ...integrationsInternal }, operations, context)],
    database,
    bus,
    sealing: { sealer, stores: [sealedIntegrations(database.worker)] },
    close: () => providerAccess.outbound.close(),
  }
}
