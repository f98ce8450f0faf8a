import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

/** The categories of notifications. A user chooses the channels of each. */
export const notificationCategories = [
  'data',
  'agents',
  'forecasts',
  'plans',
  'webhooks',
  'integrations',
  'security',
  'billing',
  'audit',
] as const
export type NotificationCategory = (typeof notificationCategories)[number]

/** The channels by which notifications arrive. */
export const notificationChannels = ['in_app', 'email', 'slack'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** A notification of a user, in the feed of the console. */
export const Notification = z
  .object({
    id: id('ntf'),
    kind: z.string().describe('The kind of the event'),
    category: z.enum(notificationCategories).describe('The group of kinds by which channels are chosen'),
    is_critical: z.boolean().describe('True if it goes through every channel at once'),
    title: z.string().describe('What happened, in a line'),
    body: z.string().describe('The details, in sentences'),
    link: z.string().nullable().describe('Path of the API that reads the resource'),
    event_id: id('evt'),
    read_at: timestamp().nullable().describe('When it was marked as read; null until then'),
    created_at: timestamp(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>
