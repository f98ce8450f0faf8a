import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { linkQuery } from '../core/shape/link.ts'
import { listQuery } from '../core/shape/shape.ts'
import { NotificationSettings, NotificationSettingsPatch } from './settings-shapes.ts'
import { Notification } from './shapes.ts'

const ofWorkspace =
  'A user has a feed of their own. Other principals share the feed of the workspace. Notifications about resources that ' +
  'the caller has no scope to read are left out.'

/** Only the feed of the caller changes, so no `write` scope is needed for it; the feed of a workspace needs one. */
const sharedFeed = 'Principals that are not users also need the scope `notifications:write`, because they share a feed.'

const levels =
  'What a user has not set follows the defaults of the workspace. Other principals read and set these defaults, and a user ' +
  'does with `level=workspace`. Critical notifications go through every channel, at once.'

/** A stream ends after this time, and its client reconnects: a revoked credential gets no more. */
const maxStreamSeconds = 600

const settingsQuery = z.strictObject({
  level: z
    .enum(['user', 'workspace'])
    .optional()
    .describe('Default: `user` for a user, `workspace` for any other principal'),
})

/** Notifications of users. */
export const notifications = declareEndpoints('notifications', {
  listNotifications: {
    method: 'GET',
    path: '/v1/notifications/events',
    summary: 'List the notifications of the caller, newest first',
    description: ofWorkspace,
    scope: 'notifications:read',
    query: listQuery({
      unread: z.stringbool().optional().describe('True for unread notifications only, false for read ones'),
    }),
    list: Notification,
    meta: z.object({ unread_count: z.int().min(0).describe('Unread notifications in the whole feed') }),
    tool: { name: 'list_notifications', hints: { readOnly: true } },
  },
  readNotification: {
    method: 'POST',
    path: '/v1/notifications/events/{id}/read',
    summary: 'Mark a notification as read',
    description: sharedFeed,
    scope: 'notifications:read',
    params: z.object({ id: id('ntf') }),
    ok: Notification,
    errors: ['not_found', 'missing_scope'],
  },
  readAllNotifications: {
    method: 'POST',
    path: '/v1/notifications/events/read-all',
    summary: 'Mark every notification of the caller as read',
    description: sharedFeed,
    scope: 'notifications:read',
    ok: z.object({ read: z.int().min(0).describe('Number of notifications that were unread') }),
    errors: ['missing_scope'],
  },
  streamNotifications: {
    method: 'GET',
    path: '/v1/notifications/events/stream',
    summary: 'Stream the notifications of the caller as they arrive',
    description: `${ofWorkspace} The stream begins with the next notification; a client that reconnects with \`Last-Event-ID\` gets those since. The stream ends after \`max_seconds\`, so that the credential is checked again.`,
    scope: 'notifications:read',
    query: z.strictObject({
      max_seconds: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(maxStreamSeconds)
        .default(maxStreamSeconds)
        .describe('The stream ends after this time; connect again with `Last-Event-ID`'),
    }),
    response: 'events',
    eventData: Notification,
    sealsEventIds: true,
    errors: ['validation_failed', 'invalid_cursor'],
  },
  getSettings: {
    method: 'GET',
    path: '/v1/notifications/settings',
    summary: 'Read how the caller is notified',
    description: levels,
    scope: 'notifications:read',
    query: settingsQuery,
    ok: NotificationSettings,
    errors: ['validation_failed'],
  },
  updateSettings: {
    method: 'PATCH',
    path: '/v1/notifications/settings',
    summary: 'Change how the caller is notified',
    description: `${levels} A change of the defaults also needs the scope \`notifications:write\`; naming a Slack integration needs \`integrations:read\`.`,
    scope: 'notifications:read',
    query: settingsQuery,
    body: NotificationSettingsPatch,
    ok: NotificationSettings,
    errors: ['validation_failed', 'unknown_reference', 'missing_scope'],
    audit: { action: 'notification_settings.updated', target: 'notification_settings', field: 'level' },
  },
  showUnsubscribe: {
    method: 'GET',
    path: '/v1/notifications/unsubscribe',
    summary: 'The page that the link of a mail opens; it asks for confirmation and changes nothing',
    credentials: 'none',
    query: linkQuery,
    cellParameter: 'token',
    response: 'html',
  },
  unsubscribe: {
    method: 'POST',
    path: '/v1/notifications/unsubscribe',
    summary: 'Stop the mails of one category, from the page or by a mail program',
    description:
      'RFC 8058: mail programs send `List-Unsubscribe=One-Click`, as `multipart/form-data` or URL-encoded, without a sign-in. The body is not read: the token in the address is enough.',
    credentials: 'none',
    query: linkQuery,
    cellParameter: 'token',
    input: 'ignored',
    response: 'html',
  },
})
