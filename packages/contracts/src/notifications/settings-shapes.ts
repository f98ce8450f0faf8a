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

const channels = z.object({
  in_app: z.boolean().meta({ description: 'Show notifications of the category in the feed' }),
  email: z.boolean().meta({ description: 'Send them by mail' }),
  slack: z.boolean().meta({ description: 'Post them to the channel of `slack`' }),
})

const subjects: Readonly<Record<NotificationCategory, string>> = {
  data: 'syncs of data sources',
  agents: 'agent runs',
  forecasts: 'forecast runs and recommendations',
  plans: 'daily plans of sites and buildings',
  webhooks: 'webhook subscriptions that fail or were disabled',
  integrations: 'integrations that were connected or fail',
  security: 'API keys and members',
  billing: 'invoices, the plan and its limits',
  audit: 'compliance exports',
}

const byCategory = <Shape extends z.ZodType>(shape: Shape) =>
  Object.fromEntries(
    notificationCategories.map((category) => [
      category,
      shape.meta({ description: `Channels for ${subjects[category]}` }),
    ]),
  ) as Record<NotificationCategory, Shape> // has exactly the categories

const digest = z
  .strictObject({
    frequency: z.enum(['off', 'daily', 'weekly']).meta({ description: '`off`: each mail is sent by itself' }),
    at: timeOfDay().meta({ description: 'Local time at which the digest is sent' }),
    timezone: timezone().nullable().meta({ description: 'Null: the time zone of the user, else UTC' }),
  })
  .meta({ description: 'Collects mails that are not critical. A weekly digest is sent on Mondays' })

const quietHours = z
  .strictObject({
    start: timeOfDay().meta({ description: 'Local time at which they begin' }),
    end: timeOfDay().meta({ description: 'Local time at which they end; may be on the next day' }),
    timezone: timezone().meta({ description: 'IANA time zone of both times' }),
  })
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
    categories: z.object(byCategory(channels)).meta({ description: 'The channels of each category' }),
    digest,
    quiet_hours: quietHours.nullable(),
    slack: slack.nullable(),
    updated_at: timestamp().nullable().meta({ description: 'Null if nothing was ever set' }),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.infer<typeof NotificationSettings>

const channelsPatch = z
  .strictObject({
    in_app: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Show notifications of the category in the feed; null: as by default' }),
    email: z.boolean().nullable().optional().meta({ description: 'Send them by mail; null: as by default' }),
    slack: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'Post them to the channel of `slack`; null: as by default' }),
  })
  .nullable()

/** Critical notifications go through every channel; naming them says so instead of ignoring the wish. */
const neverMuted = (channel: NotificationChannel) =>
  z.literal(true, `critical notifications cannot be muted; leave out ${channel} or set it to true`).optional()

const criticalChannels = z
  .strictObject({
    in_app: neverMuted('in_app').meta({ description: 'Only true: critical notifications are always shown' }),
    email: neverMuted('email').meta({ description: 'Only true: critical notifications are always mailed' }),
    slack: neverMuted('slack').meta({ description: 'Only true: critical notifications are always posted' }),
  })
  .optional()
  .meta({ description: 'Critical notifications go through every channel: leave it out' })

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
