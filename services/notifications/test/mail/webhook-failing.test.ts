import { afterAll, expect, it } from '@jest/globals'
import { eventually, startMailbox } from '@wp/testkit'
import { Pool } from 'pg'
import { startHarness } from '../fixture/harness.ts'

const mailbox = await startMailbox()
const harness = await startHarness({
  services: ['auth', 'notifications', 'webhook-delivery'],
  env: { notifications: { SMTP_URL: mailbox.url, MAIL_FROM: 'Platform <no-reply@example.com>' } },
})
const deliveries = new Pool({ connectionString: harness.fleet.databases.get('webhook-delivery')?.adminUrl, max: 2 })
afterAll(async () => {
  await deliveries.end()
  await harness.stop()
  await mailbox.close()
})

it('mails those who can change webhooks that an endpoint fails, with a link to the console', async () => {
  const people = { admin: 'grace@example.test', viewer: 'ada@example.test' }
  for (const [role, email] of Object.entries(people)) await harness.addMember(role, { email })
  const { body } = await harness.call('POST', '/v1/webhooks/webhooks', {
    body: {
      endpoint: 'https://127.0.0.1:8443/',
      events: ['FORECASTING_FINISHED'],
      description: 'Orders for the canteen',
    },
  })
  const id = body.data.webhook_id
  await deliveries.query(
    `UPDATE endpoints SET failing_since = now() - interval '1 day', pending_actions = '{failing_1_day}' WHERE webhook_id = $1`,
    [id],
  )
  const mail = await mailbox.waitFor(({ to, subject }) => to === people.admin && subject.includes('failing'))
  expect(mail.text).toMatch(
    /Deliveries to the webhook “Orders for the canteen” have failed since \d{1,2} \w+ \d{4}, \d\d:\u2060?\d\d UTC\./,
  )
  const page = `/console/${harness.fleet.owner.workspaceId}/webhooks/${id}`
  expect(mail.text).toContain(page)
  expect(mail.html).toContain(page)
  await harness.untilFannedOut(1)
  const channelsOf = (email: string) =>
    harness.rows<{ channel: string | null }>(
      `SELECT d.channel FROM notifications n LEFT JOIN deliveries d ON d.notification_id = n.id
       WHERE n.kind = 'WEBHOOK_FAILING' AND n.recipient_id = $1`,
      [email],
    )
  const members = await harness.rows<{ user_id: string; email: string }>('SELECT user_id, email FROM users', [], 'auth')
  const idOf = (email: string) => members.find((member) => member.email === email)?.user_id ?? ''
  await eventually(async () => (await channelsOf(idOf(people.viewer))).length === 1)
  expect(await channelsOf(idOf(people.viewer))).toEqual([{ channel: null }])
  expect(await channelsOf(idOf(people.admin))).toEqual([{ channel: 'email' }])
})
