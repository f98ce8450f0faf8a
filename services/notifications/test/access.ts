import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'

/** Causes a notification in the feed of the workspace. @returns its id */
async function causeNotification(context: AccessContext): Promise<string> {
  const keyId = await context.createId('/v1/auth/api-key', { name: context.uniqueName() }, 'key_id')
  const find = async (): Promise<string | undefined> => {
    const found: { id: string; body: string }[] = await context.read('/v1/notifications/events')
    return found.find(({ body }) => body.includes(keyId))?.id
  }
  return eventually(find, { intervalMs: 50 })
}

export const accessFixtures: AccessFixtures = {
  'notifications.listNotifications': {},
  'notifications.readNotification': { params: async (context) => ({ id: await causeNotification(context) }) },
  'notifications.readAllNotifications': {
    withoutIdempotencyKey: 'a repetition changes nothing, and there is no other request from which to tell it apart',
  },
  'notifications.streamNotifications': { buildRequest: () => ({ query: 'max_seconds=1' }) },
  'notifications.getSettings': {},
  'notifications.updateSettings': {
    request: { body: { categories: { data: { email: true } } } },
    alternativeBody: { categories: { data: { email: false } } },
  },
}
