import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type Mailbox,
  type Nats,
  startMailbox,
  startNats,
  startTestFleet,
  type TestFleet,
  type TestWorkspace,
} from '@wp/testkit'

/** Two cells behind one edge; only the other one has the workspace. */
let fleet: TestFleet
let brokers: Nats[]
let mailbox: Mailbox
let workspace: TestWorkspace
beforeAll(async () => {
  const [home, far, mails] = await Promise.all([startNats(), startNats(), startMailbox()])
  brokers = [home, far]
  mailbox = mails
  fleet = await startTestFleet({
    services: ['auth', 'notifications'],
    natsUrl: home.url,
    cells: [{ shard: 'two', location: 'FAR', natsUrl: far.url }],
    env: { notifications: { SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@example.com' } },
  })
  workspace = await fleet.seed('far', 'two')
})
afterAll(async () => {
  await fleet?.stop()
  await mailbox?.close()
  await Promise.all((brokers ?? []).map((broker) => broker.stop()))
})

const headers = () => ({ 'x-workspace-key': workspace.workspaceId })

/** Causes a mail that is not critical. @returns its link to unsubscribe, at the edge of the test */
async function unsubscribeLink(): Promise<string> {
  const as = await fleet.userToken(workspace.ownerId)
  const { body } = await fleet.request('POST', '/v1/auth/api-key', { as, headers: headers(), body: {} })
  await fleet.request('DELETE', `/v1/auth/api-key/${body.data.key_id}`, { as, headers: headers() })
  const mail = await mailbox.waitFor(
    ({ text }) => text.includes('unsubscribe?token=') && text.includes(body.data.key_id),
  )
  const [, url = ''] = /^<(.+)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []
  return url.replace(/^https?:\/\/[^/]+/, fleet.baseUrl)
}

const mailsAboutSecurity = async () => {
  const as = await fleet.userToken(workspace.ownerId)
  const { body } = await fleet.request('GET', '/v1/notifications/settings', { as, headers: headers() })
  return body.data.categories.security.email
}

const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }

describe('the link to unsubscribe in a mail of another cell', () => {
  it('works without a sign-in', async () => {
    const url = await unsubscribeLink()
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Stop mails about security')])
    expect(await mailsAboutSecurity()).toBe(true)
    expect((await fetch(url, oneClick)).status).toBe(200)
    expect(await mailsAboutSecurity()).toBe(false)
  })

  it.each(['three', 'two@example.com', '../two', 'auth', ''])('is not valid with the cell %j', async (cell) => {
    const url = new URL('/v1/notifications/unsubscribe', fleet.baseUrl)
    url.searchParams.set('token', `${cell}.${workspace.workspaceId}.${workspace.ownerId}.all.c2lnbmF0dXJl`)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('The link is not valid')])
  })
})
