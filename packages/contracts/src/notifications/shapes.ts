import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'
import { notificationCategories } from './categories.ts'

/** A notification of a user, in the feed of the console. */
export const Notification = z
  .object({
    id: id('ntf'),
    kind: z.string().meta({ description: 'The kind of the event' }),
    category: z.enum(notificationCategories).meta({ description: 'The group of kinds by which channels are chosen' }),
    is_critical: z.boolean().meta({ description: 'True if it goes through every channel at once' }),
    title: z.string().meta({ description: 'What happened, in a line' }),
    body: z.string().meta({ description: 'The details, in sentences' }),
    link: z.string().nullable().meta({ description: 'Path of the API that reads the resource' }),
    event_id: id('evt'),
    read_at: timestamp().nullable().meta({ description: 'When it was marked as read; null until then' }),
    created_at: timestamp(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>
