import type { mcp, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { health } from './health.ts'
import { pending } from './pending.ts'

export const operations = { health, message: pending } satisfies Operations<typeof mcp, Context>
