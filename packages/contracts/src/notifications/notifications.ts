import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { listQuery } from '../core/shape.ts'
import { Notification } from './shapes.ts'

/** Notifications of users. */
export const notifications = {
  listNotifications: endpoint({
    id: 'notifications.listNotifications',
    method: 'GET',
    path: '/v1/notifications/events',
    summary: 'List the notifications of the caller, newest first',
    scope: 'notifications:read',
    query: listQuery({ unread: z.stringbool().optional() }),
    list: Notification,
    tool: { name: 'list_notifications', hints: { readOnly: true } },
  }),
}
