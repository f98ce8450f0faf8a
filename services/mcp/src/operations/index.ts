import type { mcp, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { health } from './health.ts'
import { message } from './message.ts'

export const operations = { health, message } satisfies Operations<typeof mcp, Context>
