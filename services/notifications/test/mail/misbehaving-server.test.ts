import { afterAll, expect, it } from '@jest/globals'
import { eventually, startMisbehavingSmtpServer } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const server = await startMisbehavingSmtpServer()
const harness = await startHarness({
  env: { notifications: { SMTP_URL: server.url, MAIL_FROM: 'no-reply@example.com' } },
})
afterAll(async () => {
  await harness.stop()
  await server.close()
})

const deliveryOf = async (keyId: string) => {
  const rows = await harness.rows<{ state: string; reason: string | null }>(
    `SELECT d.state, d.reason FROM deliveries d JOIN notifications n ON n.id = d.notification_id
     WHERE n.recipient_id = $1 AND n.body LIKE $2 AND d.channel = 'email'`,
    [harness.fleet.owner.ownerId, `%${keyId}%`],
  )
  return rows[0]
}
const contentsAbout = (keyId: string) => server.contents.filter((content) => content.includes(keyId))

it('a notification mail is sent once and ends as uncertain when the server reads it and closes the connection', async () => {
  server.misbehave('contentClose')
  const keyId = await harness.createKey()
  await eventually(async () => (await deliveryOf(keyId))?.state === 'uncertain')
  expect((await deliveryOf(keyId))?.reason).toBe('no valid reply to the content')
  // A later mail shows that the queue went on.
  server.misbehave(undefined)
  const later = await harness.createKey()
  await eventually(() => contentsAbout(later).length > 0)
  expect([contentsAbout(keyId), contentsAbout(later).length]).toEqual([[], 1])
})
