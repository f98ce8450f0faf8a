import type { audit, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { getLog } from './get-log.ts'
import { listLogs } from './list-logs.ts'
import { verifyLogs } from './verify-logs.ts'

export const operations = { listLogs, verifyLogs, getLog } satisfies Operations<typeof audit, Context>
