import type { mcp, Operation, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { message } from './message.ts'

/** Reports `ok`: the service has no dependency of its own. */
const health: Operation<typeof mcp.health, Context> = async () => ({ status: 'ok' })

export const operations = { health, message } satisfies Operations<typeof mcp, Context>
