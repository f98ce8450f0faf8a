import { webhooks } from '@wp/contracts'
import { bind, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'

export const createService = (context: Context): Service => ({
  surfaces: [bind(webhooks, operations, context)],
  close: async () => {},
})
