import type { mcp, Operations } from '@wp/contracts'
import type { Context, Operation } from '../context.ts'
import { message } from './message.ts'

/** Reports `ok`: the service has no dependency of its own. */
const health: Operation<'health'> = async () => ({ status: 'ok' })

export const operations = { health, message } satisfies Operations<typeof mcp, Context>
