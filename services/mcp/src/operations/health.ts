import type { mcp, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Reports `ok`: the service has no dependency of its own. */
export const health: Operation<typeof mcp.health, Context> = async () => ({ status: 'ok' })
