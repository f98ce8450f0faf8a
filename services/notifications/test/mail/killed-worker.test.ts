import { afterAll, expect, it } from '@jest/globals'
import { eventually, startMailbox } from '@wp/testkit'
import { Client } from 'pg'
import { startHarness } from '../fixture/harness.ts'

const mailbox = await startMailbox()
const harness = await startHarness({
  processes: ['notifications'],
  env: { notifications: { SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@example.com' } },
})
afterAll(async () => {
  await harness.stop()
  await mailbox.close()
})

it('sends nothing twice when it is killed after the mail server has accepted a mail and before that is recorded', async () => {
  const lock = new Client({ connectionString: harness.fleet.databases.get('notifications')?.adminUrl })
  await lock.connect()
  const states = (keyId = '') =>
    harness.rows<{ state: string; reason: string | null }>(
      `SELECT d.state, d.reason FROM deliveries d JOIN notifications n ON n.id = d.notification_id
       WHERE n.recipient_id = $1 AND n.body LIKE $2`,
      [harness.fleet.owner.ownerId, `%${keyId}%`],
    )
  // Every mail about the seeded workspace has been sent.
  const first = await harness.createKey()
  await mailbox.waitFor(({ text }) => text.includes(first))
  await eventually(async () => (await states()).every(({ state }) => state === 'sent'))
  // The worker has recorded that it begins; it cannot record the end.
  mailbox.setRecipientCheck(async () => {
    await lock.query('BEGIN')
    await lock.query('SELECT FROM deliveries FOR UPDATE')
    return undefined
  })
  const keyId = await harness.createKey()
  await mailbox.waitFor(({ text }) => text.includes(keyId))
  expect(await states(keyId)).toEqual([{ state: 'sending', reason: null }])
  await harness.fleet.member('notifications').kill()
  await harness.rows(`UPDATE platform.jobs SET lease_until = now() WHERE state = 'running'`)
  await lock.query('ROLLBACK')
  await lock.end()
  mailbox.setRecipientCheck(() => undefined)
  await harness.fleet.restart('notifications')
  await eventually(async () => (await states(keyId))[0]?.state !== 'sending')
  expect(await states(keyId)).toEqual([{ state: 'uncertain', reason: 'interrupted' }])
  // A later mail shows that the queue is empty.
  const later = await harness.createKey()
  await mailbox.waitFor(({ text }) => text.includes(later))
  expect(mailbox.mails.filter(({ text }) => text.includes(keyId))).toHaveLength(1)
})
