import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'

/** A request of the poll counts against the rate limit of the workspace. */
const pollMs = 500

/** Returns the newest notification of the workspace; if there is none, causes one. Marking it as read deletes nothing. */
async function findNotification(context: AccessContext): Promise<string> {
  const newest = async (): Promise<string | undefined> =>
    (await context.read('/v1/notifications/events?limit=1'))[0]?.id
  const existing = await newest()
  if (existing !== undefined) return existing
  await context.createId('/v1/auth/api-key', { name: context.uniqueName() }, 'key_id')
  return eventually(newest, { intervalMs: pollMs })
}

export const accessFixtures: AccessFixtures = {
  'notifications.listNotifications': {},
  'notifications.readNotification': { params: async (context) => ({ id: await findNotification(context) }) },
  'notifications.readAllNotifications': {},
  'notifications.streamNotifications': { buildRequest: () => ({ query: 'max_seconds=1' }) },
  'notifications.getSettings': {},
  'notifications.updateSettings': {
    request: { body: { categories: { data: { email: true } } } },
    alternativeBody: { categories: { data: { email: false } } },
  },
}
