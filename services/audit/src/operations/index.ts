import type { audit, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { getLog } from './get-log.ts'
import { keySet } from './key-set.ts'
import { listLogs } from './list-logs.ts'
import { readHead } from './read-head.ts'
import { verifyLogs } from './verify-logs.ts'

export const operations = { listLogs, verifyLogs, readHead, keySet, getLog } satisfies Operations<typeof audit, Context>
