import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timeZone } from '../core/shape/locale.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { type NotificationCategory, type NotificationChannel, notificationCategories } from './shapes.ts'

const timeOfDay = () =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00')
    .meta({ examples: ['08:00'] })

const channels = z.object({
  in_app: z.boolean().describe('Show notifications of the category in the feed'),
  email: z.boolean().describe('Send them by mail'),
  slack: z.boolean().describe('Post them to the channel of `slack`'),
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
    notificationCategories.map((category) => [category, shape.describe(`Channels for ${subjects[category]}`)]),
  ) as Record<NotificationCategory, Shape> // has exactly the categories

const digest = z
  .strictObject({
    frequency: z.enum(['off', 'daily', 'weekly']).describe('`off`: each mail is sent by itself'),
    at: timeOfDay().describe('Local time at which the digest is sent'),
    timezone: timeZone().nullable().describe('Null: the time zone of the user, else UTC'),
  })
  .describe('Collects mails that are not critical. A weekly digest is sent on Mondays')

const quietHours = z
  .strictObject({
    start: timeOfDay().describe('Local time at which they begin'),
    end: timeOfDay().describe('Local time at which they end; may be on the next day'),
    timezone: timeZone().describe('IANA time zone of both times'),
  })
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'must differ from start' })
  .describe('Mails and Slack messages that are not critical wait for the end')

const slack = z
  .strictObject({
    integration_id: id('int'),
    /** Undefined for an integration by incoming webhook, which has one channel. */
    channel: text(100).nullable().describe('Channel of a bot; null for an incoming webhook'),
  })
  .describe('Where messages are posted')

/** Notification settings of a user or a workspace. */
export const NotificationSettings = z
  .object({
    level: z.enum(['user', 'workspace']).describe('`workspace`: the defaults of the workspace'),
    categories: z.object(byCategory(channels)).describe('The channels of each category'),
    digest,
    quiet_hours: quietHours.nullable(),
    slack: slack.nullable(),
    updated_at: timestamp().nullable().describe('Null if nothing was ever set'),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.infer<typeof NotificationSettings>

const channelsPatch = z
  .strictObject({
    in_app: z
      .boolean()
      .nullable()
      .optional()
      .describe('Show notifications of the category in the feed; null: as by default'),
    email: z.boolean().nullable().optional().describe('Send them by mail; null: as by default'),
    slack: z.boolean().nullable().optional().describe('Post them to the channel of `slack`; null: as by default'),
  })
  .nullable()

/** Critical notifications go through every channel; naming them says so instead of ignoring the wish. */
const neverMuted = (channel: NotificationChannel) =>
  z.literal(true, `critical notifications cannot be muted; leave out ${channel} or set it to true`).optional()

const criticalChannels = z
  .strictObject({
    in_app: neverMuted('in_app').describe('Only true: critical notifications are always shown'),
    email: neverMuted('email').describe('Only true: critical notifications are always mailed'),
    slack: neverMuted('slack').describe('Only true: critical notifications are always posted'),
  })
  .optional()
  .describe('Critical notifications go through every channel: leave it out')

/** A change of settings, merged (RFC 7396). */
export const NotificationSettingsPatch = z
  .strictObject({
    categories: z
      .strictObject({ ...byCategory(channelsPatch.optional()), critical: criticalChannels })
      .optional()
      .describe('Null in place of a value follows the default again'),
    digest: digest.nullable().optional().describe('Null follows the default again'),
    quiet_hours: quietHours.nullable().optional().describe('Null: none'),
    slack: slack.nullable().optional().describe('Null: none'),
  })
  .meta({ id: 'NotificationSettingsPatch' })
export type NotificationSettingsPatch = z.infer<typeof NotificationSettingsPatch>
