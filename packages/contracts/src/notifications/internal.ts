import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { scopes } from '../core/endpoint/scope.ts'
import { id } from '../core/shape/id.ts'
import { listQuery } from '../core/shape/shape.ts'

/** A member of a workspace, as the notifications service needs it. */
export const NotificationRecipient = z.object({
  user_id: id('usr'),
  email: z.string(),
  name: z.string().nullable(),
  workspace_name: z.string(),
  locale: z.string().nullable(),
  /** IANA time zone. */
  timezone: z.string().nullable(),
  /** The scopes of the member's role. */
  scopes: z.array(z.enum(scopes)),
})
export type NotificationRecipient = z.infer<typeof NotificationRecipient>

/** The endpoint of auth with which the notifications service finds the members of a workspace. */
export const listNotificationRecipients = endpoint({
  id: 'auth.listNotificationRecipients',
  method: 'GET',
  path: '/internal/auth/notification-recipients',
  summary: 'List the members of the workspace of the call with the scopes of their roles, by user id',
  description: 'Disabled users and invited users are left out. A workspace that was deleted has none.',
  audience: 'internal',
  workspace: 'none',
  allowsSystemCalls: true,
  callers: ['notifications'],
  /** The cursor is the last user id of the previous page. */
  query: listQuery({ user_id: id('usr').optional() }),
  list: NotificationRecipient,
})
