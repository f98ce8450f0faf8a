import { z } from 'zod'
import { id } from '../core/id.ts'
import { timestamp } from '../core/shape.ts'

/** A notification of a user, in the feed of the console. */
export const Notification = z
  .object({
    id: id('ntf'),
    kind: z.string().meta({ description: 'The kind of the event' }),
    category: z.string(),
    is_critical: z.boolean(),
    title: z.string(),
    body: z.string(),
    link: z.string().nullable().meta({ description: 'Where the console shows more' }),
    event_id: id('evt'),
    read_at: timestamp().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>
