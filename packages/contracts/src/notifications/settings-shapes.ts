import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { type NotificationCategory, type NotificationChannel, notificationCategories } from './shapes.ts'

const timeOfDay = () =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00')
    .meta({ examples: ['08:00'] })

const isTimezone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

const timezone = () =>
  text(64)
    .refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin')
    .meta({ examples: ['Europe/Berlin'] })

const channels = z.object({ in_app: z.boolean(), email: z.boolean(), slack: z.boolean() })

const byCategory = <Shape extends z.ZodType>(shape: Shape) =>
  Object.fromEntries(notificationCategories.map((category) => [category, shape])) as Record<NotificationCategory, Shape> // has exactly the categories

const digest = z
  .strictObject({
    frequency: z.enum(['off', 'daily', 'weekly']),
    at: timeOfDay(),
    timezone: timezone().nullable().meta({ description: 'Null: the time zone of the user, else UTC' }),
  })
  .meta({ description: 'Collects mails that are not critical. A weekly digest is sent on Mondays' })

const quietHours = z
  .strictObject({ start: timeOfDay(), end: timeOfDay(), timezone: timezone() })
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'must differ from start' })
  .meta({ description: 'Mails and Slack messages that are not critical wait for the end' })

const slack = z
  .strictObject({
    integration_id: id('int'),
    /** Undefined for an integration by incoming webhook, which has one channel. */
    channel: text(100).nullable().meta({ description: 'Channel of a bot; null for an incoming webhook' }),
  })
  .meta({ description: 'Where messages are posted' })

/** Notification settings of a user or a workspace. */
export const NotificationSettings = z
  .object({
    level: z.enum(['user', 'workspace']).meta({ description: '`workspace`: the defaults of the workspace' }),
    categories: z.object(byCategory(channels)),
    digest,
    quiet_hours: quietHours.nullable(),
    slack: slack.nullable(),
    updated_at: timestamp().nullable().meta({ description: 'Null if nothing was ever set' }),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.infer<typeof NotificationSettings>

const channelsPatch = z
  .strictObject({
    in_app: z.boolean().nullable().optional(),
    email: z.boolean().nullable().optional(),
    slack: z.boolean().nullable().optional(),
  })
  .nullable()

/** Critical notifications go through every channel; naming them says so instead of ignoring the wish. */
const neverMuted = (channel: NotificationChannel) =>
  z.literal(true, `critical notifications cannot be muted; leave out ${channel} or set it to true`).optional()

const criticalChannels = z
  .strictObject({ in_app: neverMuted('in_app'), email: neverMuted('email'), slack: neverMuted('slack') })
  .optional()

/** A change of settings, merged (RFC 7396). */
export const NotificationSettingsPatch = z
  .strictObject({
    categories: z
      .strictObject({ ...byCategory(channelsPatch.optional()), critical: criticalChannels })
      .optional()
      .meta({ description: 'Null in place of a value follows the default again' }),
    digest: digest.nullable().optional().meta({ description: 'Null follows the default again' }),
    quiet_hours: quietHours.nullable().optional().meta({ description: 'Null: none' }),
    slack: slack.nullable().optional().meta({ description: 'Null: none' }),
  })
  .meta({ id: 'NotificationSettingsPatch' })
export type NotificationSettingsPatch = z.infer<typeof NotificationSettingsPatch>
