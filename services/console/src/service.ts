import type { Service } from '@wp/service'
import { createAssetKeeper } from './assets/keep-assets.ts'
import type { Context } from './context.ts'
import { createRouter } from './router.ts'
import { sealedSessions } from './store/sealed-sessions.ts'
import { retentionRules } from './store/sessions.ts'

export function createService(context: Context): Service {
  const { database, sealer, proxyTransport } = context
  return {
    surfaces: [],
    site: createRouter(context),
    database: database.background,
    sealing: { sealer, stores: [sealedSessions(database.worker)] },
    retention: retentionRules,
    workers: [createAssetKeeper({ ...context, pool: database.worker })],
    close: () => proxyTransport.close(),
  }
}
