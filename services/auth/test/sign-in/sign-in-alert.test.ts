import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { cookieOf, isAlert, nextClientIp, startTestSignIn } from '../fixture/sign-in.ts'

const fixture = await startTestSignIn()
afterAll(() => fixture.stop())

/** Signs in, by default on a new device. @returns the session, and the cookies of the browser */
async function signIn(email: string, cookie?: string) {
  await fixture.auth.rows('DELETE FROM counters WHERE key LIKE $1', ['sign-in-mail:%'])
  const { loginId, code } = await fixture.requestLogin(email)
  const { status, body, headers } = await fixture.open('POST', '/v1/auth/verify', {
    body: { login_id: loginId, code },
    from: nextClientIp(),
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' },
    ...(cookie === undefined ? {} : { cookie }),
  })
  if (status !== 200) throw new Error(`verify returned ${status}`)
  return { sessionId: decodeJwt<{ sid: string }>(body.data.access_token).sid, cookie: cookieOf(headers) }
}

const alertsTo = (email: string) => fixture.mailbox.mails.filter((mail) => mail.to === email && isAlert(mail))
const sessionOf = (sessionId: string) =>
  fixture.auth.rows<{ endReason: string | null }>(
    `SELECT end_reason AS "endReason" FROM sessions WHERE session_id = $1`,
    [sessionId],
  )

describe('a sign-in on a new device', () => {
  it('is mailed to its user, but not the first of all, nor one on a known device', async () => {
    const email = 'devices@example.test'
    const first = await signIn(email)
    expect(first.cookie).toMatch(/device=[\w-]{43}/)
    await signIn(email, first.cookie)
    expect(alertsTo(email)).toEqual([])
    await signIn(email)
    const mail = await fixture.mailbox.waitFor((one) => one.to === email && isAlert(one))
    expect(mail.text).toContain('Firefox on Linux')
    expect(alertsTo(email)).toHaveLength(1)
  })

  it('has its time in the language and zone of the user', async () => {
    const email = 'wellington@example.test'
    await signIn(email)
    await fixture.auth.rows(
      `UPDATE users SET locale = 'en-NZ', timezone = 'Pacific/Auckland' WHERE email = $1 RETURNING user_id`,
      [email],
    )
    await signIn(email)
    const { text = '' } = await fixture.mailbox.waitFor((one) => one.to === email && isAlert(one))
    expect(text).toMatch(/Time: \d{1,2} \w+ \d{4}, \d{1,2}:\d\d [ap]m NZ[DS]T/)
  })

  it('is ended by the link of the mail, which does nothing when it is opened, and works once', async () => {
    const email = 'reported@example.test'
    await signIn(email)
    const { sessionId } = await signIn(email)
    const mail = await fixture.mailbox.waitFor((one) => one.to === email && isAlert(one))
    const { pathname, searchParams } = new URL(mail.link ?? '')
    const token = searchParams.get('token') ?? ''
    expect((await fixture.open('GET', `${pathname}?token=${token}`)).body).toContain('Sign that device out')
    expect(await sessionOf(String(sessionId))).toEqual([{ endReason: null }])
    const press = (form: Record<string, string>) => fixture.open('POST', pathname, { form })
    for (const forged of [token.slice(0, -1), `${sessionId}.`, '', 'x.y'])
      expect((await press({ token: forged })).status).toBe(400)
    expect((await press({ token })).status).toBe(200)
    expect(await sessionOf(String(sessionId))).toEqual([{ endReason: 'reported' }])
    expect((await press({ token })).status).toBe(400)
  })

  it('is mailed at most five times a day', async () => {
    const email = 'often@example.test'
    for (let sign = 0; sign < 7; sign++) await signIn(email)
    await eventually(async () => alertsTo(email).length === 5, { description: 'five alerts' })
    const [row] = await fixture.auth.rows<{ count: number }>(
      `SELECT count FROM counters WHERE key LIKE 'sign-in-alert:%' ORDER BY count DESC LIMIT 1`,
    )
    expect(row?.count).toBe(6)
    expect(alertsTo(email)).toHaveLength(5)
  })
})
