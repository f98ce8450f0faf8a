import type { Operations, webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { forwarded } from './forwarded.ts'
import { listEventKinds } from './list-event-kinds.ts'

/** Endpoint to operation: what webhook-delivery keeps is asked of it, the catalogue is in the contracts. */
export const operations = { ...forwarded, listEventKinds } satisfies Operations<typeof webhooks, Context>
