import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'

/** Causes a notification in the feed of the workspace. @returns its id */
async function createNotification(context: AccessContext): Promise<string> {
  const keyId = await context.createId('/v1/auth/api-key', { name: context.uniqueName() }, 'key_id')
  let id = ''
  await eventually(async () => {
    const notifications: { id: string; body: string }[] = await context.read('/v1/notifications/events')
    id = notifications.find(({ body }) => body.includes(keyId))?.id ?? ''
    return id !== ''
  })
  return id
}

export const accessFixtures: AccessFixtures = {
  'notifications.listNotifications': {},
  'notifications.readNotification': { params: async (context) => ({ id: await createNotification(context) }) },
  'notifications.readAllNotifications': {},
  'notifications.streamNotifications': {},
  'notifications.getSettings': {},
  'notifications.updateSettings': {
    request: { body: { categories: { data: { email: true } } } },
    alternativeBody: { categories: { data: { email: false } } },
  },
}
