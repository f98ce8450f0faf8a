import { mcp } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { operations } from './operations/index.ts'

export const createService = (context: Context): Service => ({
  surfaces: [bindSurface(mcp, operations, context)],
})
