import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { webhookEvents } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventually, startMailbox } from '@wp/testkit'
import { createUnsubscribeTokens } from '../../src/mail/unsubscribe-token.ts'
import { settings, startHarness } from '../fixture/harness.ts'

const email = 'ada@example.test'
const mailbox = await startMailbox({ maxMails: 500 })
const harness = await startHarness({
  env: { notifications: { SMTP_URL: mailbox.url, MAIL_FROM: 'Platform <no-reply@example.com>' } },
})
const userId = await harness.addMember('viewer', { email, timezone: 'Europe/Berlin' })
const member = { userId, email, token: await harness.fleet.userToken(userId) }
afterAll(async () => {
  await harness.stop()
  await mailbox.close()
})
beforeEach(async () => {
  await harness.rows('DELETE FROM settings')
  await harness.rows('DELETE FROM platform.jobs')
  await harness.rows('DELETE FROM notifications')
  mailbox.setRecipientCheck(() => undefined)
  mailbox.clear()
})

const toMember = (keyOrTitle: string) =>
  mailbox.waitFor(
    ({ to, text, subject }) => to === email && (text.includes(keyOrTitle) || subject.includes(keyOrTitle)),
  )
const change = (body: unknown) => harness.call('PATCH', settings, { as: member.token, body })
const jobsOf = (queue: string) =>
  harness.rows<{ id: string; waits: boolean }>(
    `SELECT id, run_at > now() + interval '1 minute' AS waits FROM platform.jobs WHERE queue = $1 AND state = 'queued'`,
    [queue],
  )
/** Queues events with the data of the example, as their consumer does. */
const fanOut = (kind: 'API_KEY_CREATED' | 'API_KEY_REVOKED' | 'WORKPLACE_PLAN_CREATED', count = 1) =>
  harness.rows(
    `INSERT INTO platform.jobs (id, queue, workspace_id, subject, input, metadata)
     SELECT id, 'fan_out', $2, $3, $4, '{}' FROM unnest($1::text[]) AS id`,
    [
      ...[Array.from({ length: count }, () => newId('evt')), harness.fleet.owner.workspaceId, kind],
      { kind, data: webhookEvents[kind].example },
    ],
  )
const runNow = (queue: string) =>
  harness.rows(`UPDATE platform.jobs SET run_at = now() WHERE queue = $1 AND state = 'queued'`, [queue])
/** The mails for events of a kind, the newest first. Events of two kinds may be fanned out in either order. */
const deliveries = (kind: string) =>
  harness.rows<{ state: string; reason: string | null }>(
    `SELECT d.state, d.reason FROM deliveries d JOIN notifications n ON n.id = d.notification_id
     WHERE d.recipient_id = $1 AND d.channel = 'email' AND n.kind = $2 ORDER BY d.created_at DESC`,
    [member.userId, kind],
  )
const pageAt = (url: string, init: RequestInit = {}) =>
  fetch(url.replace(/^https?:\/\/[^/]+/, harness.fleet.baseUrl), init)

describe('a mail', () => {
  it('has plain text and HTML, and no link to unsubscribe when it is critical', async () => {
    const keyId = await harness.createKey('mail-key')
    const mail = await toMember(keyId)
    expect(mail.subject).toBe('An API key was created')
    expect(mail.html).toContain('The API key “mail-key” was created.')
    // Dark mail programs show the dark palette only to a mail that declares both.
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).toContain('@media(prefers-color-scheme:dark)')
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    expect(mail.headers).not.toHaveProperty('list-unsubscribe')
  })

  it('of a daily plan has what to do and the floors, for those who turned it on', async () => {
    await change({ categories: { plans: { email: true } } })
    const { data: shape, example: given } = webhookEvents.WORKPLACE_PLAN_CREATED
    const example = shape.parse(given)
    await fanOut('WORKPLACE_PLAN_CREATED')
    const { subject, text, html } = await toMember('Plan for Tuesday 3 March')
    expect(subject).toBe(example.title)
    expect(text.replaceAll('\u2060', '')).toContain(
      [
        ...['FLOORS', ''],
        ...['Floor             People (most)      Heating  Cleaning'],
        ...['Floor 1               130 (148)  07:00–18:00   196 min'],
        ...['Floor 2 (closed)        23 (31)          off         –', ''],
      ].join('\n'),
    )
    for (const action of ['Order 92 meals, at most 103.', 'Keep Floor 2 closed']) {
      expect(text).toContain(`* ${action}`)
      expect(html).toContain(action)
    }
    expect(html).toContain('8 more than planned (5 %)')
    const [job] = await harness.rows<{ count: number }>(
      `SELECT count(*)::int FROM deliveries d JOIN notifications n ON n.id = d.notification_id
       WHERE n.kind = 'WORKPLACE_PLAN_CREATED' AND d.channel = 'email'`,
    )
    expect(job?.count).toBe(1)
  })

  it('ends by one click without a sign-in, and opening the page changes nothing', async () => {
    const first = await harness.revokeKey()
    const mail = await mailbox.waitFor(
      ({ to, text, subject }) => to === email && subject === 'An API key was deleted' && text.includes(first),
    )
    const url = /^<(.+)>$/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail.text).toContain(url)
    const page = await pageAt(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Stop mails about security')])
    const read = async () => (await harness.call('GET', settings, { as: member.token })).body.data
    expect((await read()).categories.security.email).toBe(true)
    const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    expect((await pageAt(url, oneClick)).status).toBe(200)
    expect((await read()).categories.security).toEqual({ in_app: true, email: false, slack: true })
    expect((await pageAt(url, oneClick)).status).toBe(200)
    await harness.rows('DELETE FROM platform.jobs')
    mailbox.clear()
    // A critical one is still mailed; it is later than the other.
    const second = await harness.revokeKey()
    await harness.untilFannedOut(2)
    await toMember(second)
    expect(mailbox.mails.filter(({ to, subject }) => to === email && subject === 'An API key was deleted')).toEqual([])
  })

  const boundary = '\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n'
  it.each([
    ['multipart', 'multipart/form-data; boundary=b', `--b${boundary}--b--\r\n`],
    ['URL-encoded', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['plain text', 'text/plain', 'List-Unsubscribe=One-Click'],
    ['of an unknown type', 'application/x-unknown', '\u0000'],
    ['malformed', 'application/json', '{'],
    ['absent', undefined, undefined],
  ])('ends by one click when the body is %s', async (_, type, body) => {
    const { KEK = '', SHARD = '' } = harness.fleet.env('notifications')
    const unsubscription = {
      workspaceId: harness.fleet.owner.workspaceId,
      userId: member.userId,
      mails: 'all',
    } as const
    const token = createUnsubscribeTokens({ KEK, SHARD }).create(unsubscription)
    const init = {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    }
    const url = `http://edge/v1/notifications/unsubscribe?token=${token}&utm_source=m`
    expect((await pageAt(url, init)).status).toBe(200)
    const { categories } = (await harness.call('GET', settings, { as: member.token })).body.data
    expect(categories.security.email).toBe(false)
  })

  it.each(['', 'x', 'one.ws.usr.security.AAAA'])('is not ended by the invalid token %j', async (token) => {
    for (const init of [{}, { method: 'POST', body: new URLSearchParams() }])
      expect((await pageAt(`http://edge/v1/notifications/unsubscribe?token=${token}`, init)).status).toBe(400)
  })

  it('waits for the end of quiet hours, also over a restart, and is dropped when it is turned off before', async () => {
    const time = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    await change({ quiet_hours: { start: time(-1), end: time(5), timezone: 'UTC' } })
    const keyId = await harness.revokeKey()
    await toMember(keyId)
    await eventually(async () => (await jobsOf('email')).filter(({ waits }) => waits).length === 1)
    await harness.fleet.member('notifications').stop()
    await harness.fleet.restart('notifications')
    // The mails of other recipients may be queued for now.
    expect((await jobsOf('email')).filter(({ waits }) => waits)).toHaveLength(1)
    await runNow('email')
    await mailbox.waitFor(({ to, subject }) => to === email && subject === 'An API key was deleted')
    // The mail that the second key was created must not arrive in a later test.
    await toMember(await harness.revokeKey())
    await eventually(async () => (await jobsOf('email')).filter(({ waits }) => waits).length === 1)
    await change({ categories: { security: { email: false } } })
    await eventually(async () => {
      await runNow('email')
      return (await deliveries('API_KEY_REVOKED'))[0]?.state === 'skipped'
    })
    expect((await deliveries('API_KEY_REVOKED'))[0]?.reason).toBe('turned off')
  })

  it('is retried when the server rejects it for now, and not when it does so for good', async () => {
    let tries = 0
    mailbox.setRecipientCheck((to) => {
      if (to !== email) return undefined
      tries += 1
      return tries === 1 ? { code: 450, text: 'later' } : undefined
    })
    const first = await harness.createKey()
    await toMember(first)
    expect(tries).toBe(2)
    // Recorded after the mail server has accepted the mail.
    await eventually(async () => (await deliveries('API_KEY_CREATED'))[0]?.state === 'sent')
    mailbox.setRecipientCheck((to) => (to === email ? { code: 550, text: 'no such user' } : undefined))
    await harness.createKey()
    await eventually(async () => (await deliveries('API_KEY_CREATED'))[0]?.state === 'failed')
    expect((await deliveries('API_KEY_CREATED')).slice(0, 2).map(({ state }) => state)).toEqual(['failed', 'sent'])
  })
})

describe('a digest', () => {
  it('is one mail with a limited number of lines', async () => {
    await change({ digest: { frequency: 'daily', at: '08:00', timezone: null } })
    await fanOut('API_KEY_REVOKED', 23)
    await harness.untilFannedOut(23)
    expect(await jobsOf('digest')).toHaveLength(1)
    mailbox.clear()
    await runNow('digest')
    const mail = await toMember('Your digest')
    expect(mail.subject).toBe('Your digest: 23 notifications')
    expect(mail.text).toContain('… and 3 more.')
    expect(mail.html).toContain('… and 3 more.')
    expect(mail.html).toMatch(/href="[^"]+\/console\/ws_[^"/]+\/notifications"/)
    expect(mail.text.match(/\* An API key was deleted/g)).toHaveLength(20)
    const url = /^<(.+)>$/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    expect((await pageAt(url, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
    const { categories } = (await harness.call('GET', settings, { as: member.token })).body.data
    expect(Object.values<{ email: boolean }>(categories).some(({ email: isOn }) => isOn)).toBe(false)
    await eventually(
      async () => (await deliveries('API_KEY_REVOKED')).filter(({ state }) => state === 'sent').length >= 23,
    )
    expect(await jobsOf('digest')).toEqual([])
  })

  it('of critical notifications follows 5 single mails of a kind within an hour', async () => {
    await fanOut('API_KEY_CREATED', 30)
    await harness.untilFannedOut(30)
    await eventually(async () => mailbox.mails.filter(({ to }) => to === email).length === 5)
    await runNow('digest')
    const mail = await toMember('25 critical notifications')
    expect(mail.text).toContain('Critical notifications are always mailed.')
    expect(mail.headers).not.toHaveProperty('list-unsubscribe')
    expect(mailbox.mails.filter(({ to }) => to === email)).toHaveLength(6)
  })
})
