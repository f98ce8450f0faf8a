import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { expectExpiry } from '../fixture/expiry.ts'
import { applicationUri, nextClientIp, pkce, startTestSignIn } from '../fixture/sign-in.ts'

const fixture = await startTestSignIn()
afterAll(() => fixture.stop())

describe('requesting a sign-in mail', () => {
  it('returns the same response for known and unknown addresses', async () => {
    const responses = await Promise.all(
      ['owner@example.test', 'stranger@example.test'].map((email) =>
        expectExpiry(
          () => fixture.login({ email }),
          ({ body }) => body.data.expires_at,
          600_000,
        ),
      ),
    )
    for (const { status, body, headers } of responses) {
      expect([status, headers.get('cache-control')]).toEqual([202, 'no-store'])
      expect(body).toEqual({
        success: true,
        data: { login_id: expect.stringMatching(/^login_/), expires_at: expect.any(String) },
      })

      expect(headers.getSetCookie()).toEqual([
        `${body.data.login_id}=1; Max-Age=600; Path=/v1/auth; HttpOnly; SameSite=Lax`,
      ])
    }
  })

  it('sends link and code, not in the subject, without external resources', async () => {
    const { mail, code, token } = await fixture.requestLogin('Reader@Example.test')
    expect(code).toMatch(/^\d{6}$/)
    expect(mail.link).toBe(`http://localhost:4000/v1/auth/login/link?token=${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(mail).toMatchObject({
      to: 'reader@example.test',
      from: 'no-reply@localhost',
      subject: 'Sign in to Workspace platform',
    })
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    expect(mail.html).toContain(token)
    expect(mail.html).toContain(code)
    expect(mail.html).not.toMatch(/<img|<script|src=|<link/)
  })

  it('stores neither code nor token', async () => {
    const { loginId, code, token } = await fixture.requestLogin('kept@example.test')
    const [stored] = await fixture.auth.rows<{ row: string }>(
      'SELECT l::text AS row FROM logins l WHERE login_id = $1',
      [loginId],
    )
    for (const secret of [code, token]) expect(stored?.row).not.toContain(secret)
    await eventually(async () => (await fixture.auth.rows('SELECT FROM mails')).length === 0)
  })

  it.each([
    ['an invalid address', { email: 'no-address' }, '/email'],
    ['a line break', { email: 'a@example.test\r\nBcc: b@example.test' }, '/email'],
    [
      'a redirect URI that is not allowed',
      { email: 'a@example.test', redirect_uri: 'https://evil.example' },
      '/redirect_uri',
    ],
    [
      'a redirect URI with an extra parameter',
      { email: 'a@example.test', redirect_uri: `${applicationUri}&x=1` },
      '/redirect_uri',
    ],
    [
      'a malformed challenge',
      { email: 'a@example.test', redirect_uri: applicationUri, code_challenge: 'short' },
      '/code_challenge',
    ],
    [
      'a challenge without a redirect URI',
      { email: 'a@example.test', code_challenge: pkce().challenge },
      '/redirect_uri',
    ],
    ['an unknown field', { email: 'a@example.test', admin: true }, '/admin'],
  ])('rejects %s', async (_, body, pointer) => {
    expect(await fixture.login(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('is limited to 5 mails per hour to an address from one network and 20 in total', async () => {
    const email = 'flooded@example.test'
    const clientIp = nextClientIp()
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await fixture.login({ email }, clientIp)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    const { headers } = await fixture.login({ email }, clientIp)
    expect(headers.get('ratelimit-policy')).toBe('"sign-in-mails";q=5;w=3600, "network-sign-in-mails";q=30;w=3600')
    expect(headers.get('ratelimit')).toMatch(/^"sign-in-mails";r=0;t=\d+, "network-sign-in-mails";r=25;t=\d+$/)
    const more = await Promise.all(Array.from({ length: 20 }, () => fixture.login({ email })))
    expect(more.filter(({ status }) => status === 202)).toHaveLength(15)
    const last = more.find(({ status }) => status === 429)
    expect(last?.body.code).toBe('rate_limited')
    expect(last?.headers.get('retry-after')).toMatch(/^\d{3,4}$/)
  })

  it('shows the limits of the client, but not what others did with the same address', async () => {
    const email = 'shared@example.test'
    const first = await fixture.login({ email })
    expect(first.headers.get('ratelimit')).toMatch(/^"sign-in-mails";r=4;t=\d+, "network-sign-in-mails";r=29;t=\d+$/)
    const other = await fixture.login({ email })
    expect(other.headers.get('ratelimit')).toMatch(/^"sign-in-mails";r=4;t=\d+, "network-sign-in-mails";r=29;t=\d+$/)
  })

  it('is limited to 30 mails per hour from one network, also for IPv6', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1)
      statuses.push((await fixture.login({ email: `one${n}@example.test` }, `2001:db8:7:7::${n.toString(16)}`)).status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    expect((await fixture.login({ email: 'other@example.test' }, '2001:db8:7:8::1')).status).toBe(202)
  })
})
