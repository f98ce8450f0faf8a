import type { notifications, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listNotifications } from './list-notifications.ts'

export const operations = { listNotifications } satisfies Operations<typeof notifications, Context>
