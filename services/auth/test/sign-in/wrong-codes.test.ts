import { afterAll, describe, expect, it } from '@jest/globals'
import { failedSignInLimit, wrongCodeLimit } from '../../src/sign-in/sign-in-limits.ts'
import {
  invalidLoginResponse,
  listAuditEvents,
  nextClientIp,
  startTestSignIn,
  wrongCodeFor,
} from '../fixture/sign-in.ts'

const fixture = await startTestSignIn()
afterAll(() => fixture.stop())

describe('wrong codes', () => {
  const triesOf = async (loginId: string) =>
    (await fixture.auth.rows<{ n: number }>('SELECT wrong_codes AS n FROM logins WHERE login_id = $1', [loginId]))[0]?.n

  it('invalidate the code of a mail after the fifth, but not its link', async () => {
    const { loginId, code, token } = await fixture.requestLogin('typist@example.test')
    for (let n = 0; n < 5; n += 1)
      expect(await fixture.verify({ login_id: loginId, code: wrongCodeFor(code) })).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject({ status: 200 })
  })

  it.each<[string, (code: string) => string]>([
    ['a dash', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['another dash and spaces', (code) => ` ${code.slice(0, 3)} \u2013 ${code.slice(3)}\u00a0`],
    ['full-width digits', (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
    ['Arabic digits', (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))],
    ['invisible characters', (code) => `\u200b${code.slice(0, 3)}\u2060${code.slice(3)}\ufeff\u200e`],
  ])('do not include the right one with %s', async (_, typed) => {
    const { loginId, code } = await fixture.requestLogin('typist@example.test')
    expect(await fixture.verify({ login_id: loginId, code: typed(code) })).toMatchObject({ status: 200 })
    expect(await triesOf(loginId)).toBe(0)
  })

  it('allow a correct fifth attempt', async () => {
    const { loginId, code } = await fixture.requestLogin('careful@example.test')
    for (let n = 0; n < 4; n += 1) await fixture.verify({ login_id: loginId, code: wrongCodeFor(code) })
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
    expect(await triesOf(loginId)).toBe(4)
  })

  it('are all counted, but at most five compared, when 500 are concurrent', async () => {
    const { loginId, code } = await fixture.requestLogin('attacked@example.test')
    const tryWrong = () => fixture.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const responses = await Promise.all(Array.from({ length: 500 }, tryWrong))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await triesOf(loginId)).toBe(500)
    // One audit event per compared code.
    expect(await listAuditEvents(fixture, loginId)).toHaveLength(5)
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
  })

  it('disable codes of an account after ten per day, also in mails already sent', async () => {
    const email = 'besieged@example.test'
    const login = [
      await fixture.requestLogin(email),
      await fixture.requestLogin(email),
      await fixture.requestLogin(email),
    ]
    for (const { loginId, code } of login.slice(0, 2))
      for (let n = 0; n < 5; n += 1) await fixture.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const [, , third] = login
    expect(await fixture.verify({ login_id: third?.loginId, code: third?.code })).toMatchObject(invalidLoginResponse)
    const { loginId, mail, token } = await fixture.requestLogin(email)
    expect(mail.code).toBeNull()
    expect(await fixture.verify({ login_id: loginId, code: '000000' })).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject({ status: 200 })
  })

  it('are limited per client network across accounts', async () => {
    const clientIp = nextClientIp()
    const attempt = () => fixture.verify({ login_id: 'login_x', token: 'x' }, clientIp)
    const responses = await Promise.all(Array.from({ length: 110 }, attempt))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(100)
    const [last] = responses.filter(({ status }) => status === 429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    const { loginId, token } = await fixture.requestLogin('neighbour@example.test')
    expect((await fixture.verify({ login_id: loginId, token }, clientIp)).status).toBe(429)
    expect((await fixture.verify({ login_id: loginId, token })).status).toBe(200)
  })
  it('are not counted for successful sign-ins', async () => {
    const clientIp = nextClientIp()
    const { loginId, code } = await fixture.requestLogin('welcome@example.test')
    const failed = await fixture.verify({ login_id: loginId, code: wrongCodeFor(code) }, clientIp)
    const passed = await fixture.verify({ login_id: loginId, code }, clientIp)
    expect([failed.status, passed.status]).toEqual([401, 200])
    for (const { headers } of [failed, passed]) {
      expect(headers.get('ratelimit-policy')).toBe('"failed-sign-ins";q=100;w=600')
      expect(headers.get('ratelimit')).toMatch(/^"failed-sign-ins";r=99;t=\d+$/)
    }
    const counted = await fixture.auth.rows<{ count: number }>('SELECT count FROM counters WHERE key = ANY ($1)', [
      [failedSignInLimit(clientIp).key, wrongCodeLimit('welcome@example.test').key],
    ])
    expect(counted).toEqual([{ count: 1 }, { count: 1 }])
  })
})
