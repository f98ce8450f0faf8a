import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { applicationUri, nextClientIp, pkce, startTestSignIn, type TestSignIn } from '../fixture/sign-in.ts'

let world: TestSignIn
beforeAll(async () => {
  world = await startTestSignIn()
})
afterAll(() => world.stop())

describe('asking for a mail', () => {
  it('answers the same for an address that is known and one that is not', async () => {
    const answers = await Promise.all(
      ['owner@example.test', 'stranger@example.test'].map((email) => world.login({ email })),
    )
    for (const { status, body, headers } of answers) {
      expect([status, headers.get('cache-control')]).toEqual([202, 'no-store'])
      expect(body).toEqual({
        success: true,
        data: { login_id: expect.stringMatching(/^login_/), expires_at: expect.any(String) },
      })
      const minutes = (Date.parse(body.data.expires_at) - Date.now()) / 60_000
      expect(minutes).toBeGreaterThan(9)
      expect(minutes).toBeLessThanOrEqual(10.1)
      expect(headers.getSetCookie()).toEqual([
        `login=${body.data.login_id}; Max-Age=600; Path=/v1/auth; HttpOnly; SameSite=Lax`,
      ])
    }
  })

  it('sends link and code, neither in the subject, and nothing that would be fetched', async () => {
    const { mail, code, token } = await world.requestLogin('Reader@Example.test')
    expect(code).toMatch(/^\d{6}$/)
    expect(mail.link).toBe(`http://localhost:4000/v1/auth/login/link?token=${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(mail).toMatchObject({
      to: 'reader@example.test',
      from: 'no-reply@localhost',
      subject: 'Sign in to localhost:4000',
    })
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    expect(mail.html).toContain(token)
    expect(mail.html).toContain(code)
    expect(mail.html).not.toMatch(/<img|<script|src=|<link/)
  })

  it('keeps nothing that signs anybody in', async () => {
    const { loginId, code, token } = await world.requestLogin('kept@example.test')
    const [kept] = await world.auth.rows<{ row: string }>('SELECT l::text AS row FROM logins l WHERE login_id = $1', [
      loginId,
    ])
    for (const secret of [code, token]) expect(kept?.row).not.toContain(secret)
    await eventually(async () => (await world.auth.rows('SELECT FROM mails')).length === 0)
  })

  it.each([
    ['no address', { email: 'nobody' }, '/email'],
    ['a line break', { email: 'a@example.test\r\nBcc: b@example.test' }, '/email'],
    ['a place that is not listed', { email: 'a@example.test', redirect_uri: 'https://evil.example' }, '/redirect_uri'],
    [
      'a place that is nearly listed',
      { email: 'a@example.test', redirect_uri: `${applicationUri}&x=1` },
      '/redirect_uri',
    ],
    [
      'a challenge that is none',
      { email: 'a@example.test', redirect_uri: applicationUri, code_challenge: 'short' },
      '/code_challenge',
    ],
    ['a challenge for nobody', { email: 'a@example.test', code_challenge: pkce().challenge }, '/redirect_uri'],
    ['what it does not know', { email: 'a@example.test', admin: true }, '/admin'],
  ])('refuses %s', async (_, body, pointer) => {
    expect(await world.login(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('sends 5 an hour to an address from one place, and 20 from anywhere', async () => {
    const email = 'flooded@example.test'
    const place = nextClientIp()
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await world.login({ email }, place)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    const more = await Promise.all(Array.from({ length: 20 }, () => world.login({ email })))
    expect(more.filter(({ status }) => status === 202)).toHaveLength(15)
    const last = more.find(({ status }) => status === 429)
    expect(last?.body.code).toBe('rate_limited')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(3_500)
  })

  it('sends 30 an hour to whomever from one place, which is a whole network of IPv6', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1)
      statuses.push((await world.login({ email: `one${n}@example.test` }, `2001:db8:7:7::${n.toString(16)}`)).status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    expect((await world.login({ email: 'other@example.test' }, '2001:db8:7:8::1')).status).toBe(202)
  })
})
