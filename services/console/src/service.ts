import type { Service } from '@wp/service'
import type { Context } from './context.ts'
import { createRouter } from './router.ts'

export function createService(context: Context): Service {
  const { database } = context
  return {
    surfaces: [],
    site: createRouter(context),
    database: database.background,
    close: () => database.close(),
  }
}
