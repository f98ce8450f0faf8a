import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { failedSignInLimit, wrongCodeLimit } from '../../src/sign-in/sign-in-limits.ts'
import {
  invalidLoginResponse,
  listAuditEvents,
  nextClientIp,
  startTestSignIn,
  type TestSignIn,
  wrongCodeFor,
} from '../fixture/sign-in.ts'

let world: TestSignIn
beforeAll(async () => {
  world = await startTestSignIn()
})
afterAll(() => world.stop())

describe('wrong codes', () => {
  const triesOf = async (loginId: string) =>
    (await world.auth.rows<{ n: number }>('SELECT wrong_codes AS n FROM logins WHERE login_id = $1', [loginId]))[0]?.n

  it('use a mail up with the fifth; its link goes on', async () => {
    const { loginId, code, token } = await world.requestLogin('typist@example.test')
    for (let n = 0; n < 5; n += 1)
      expect(await world.verify({ login_id: loginId, code: wrongCodeFor(code) })).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: loginId, token })).toMatchObject({ status: 200 })
  })

  it('leave the fifth try to be the right one', async () => {
    const { loginId, code } = await world.requestLogin('careful@example.test')
    for (let n = 0; n < 4; n += 1) await world.verify({ login_id: loginId, code: wrongCodeFor(code) })
    expect(await world.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
    expect(await triesOf(loginId)).toBe(4)
  })

  it('count as 500 when 500 come at once, and no more than five are compared', async () => {
    const { loginId, code } = await world.requestLogin('attacked@example.test')
    const tryWrong = () => world.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const answers = await Promise.all(Array.from({ length: 500 }, tryWrong))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await triesOf(loginId)).toBe(500)
    // one for each that was compared
    expect(await listAuditEvents(world, loginId)).toHaveLength(5)
    expect(await world.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
  }, 20_000)

  it('leave an account only links after ten in a day, also in mails that are out', async () => {
    const email = 'besieged@example.test'
    const asked = [await world.requestLogin(email), await world.requestLogin(email), await world.requestLogin(email)]
    for (const { loginId, code } of asked.slice(0, 2))
      for (let n = 0; n < 5; n += 1) await world.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const [, , third] = asked
    expect(await world.verify({ login_id: third?.loginId, code: third?.code })).toMatchObject(invalidLoginResponse)
    const { loginId, mail, token } = await world.requestLogin(email)
    expect(mail.code).toBeNull()
    expect(await world.verify({ login_id: loginId, code: '000000' })).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: loginId, token })).toMatchObject({ status: 200 })
  })

  it('are bounded from one place, whoever they are for', async () => {
    const place = nextClientIp()
    const ask = () => world.verify({ login_id: 'login_x', token: 'x' }, place)
    const answers = await Promise.all(Array.from({ length: 110 }, ask))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(100)
    const [last] = answers.filter(({ status }) => status === 429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    const { loginId, token } = await world.requestLogin('neighbour@example.test')
    expect((await world.verify({ login_id: loginId, token }, place)).status).toBe(429)
    expect((await world.verify({ login_id: loginId, token })).status).toBe(200)
  })
  it('do not count those who sign in', async () => {
    const place = nextClientIp()
    const { loginId, code } = await world.requestLogin('welcome@example.test')
    await world.verify({ login_id: loginId, code: wrongCodeFor(code) }, place)
    expect((await world.verify({ login_id: loginId, code }, place)).status).toBe(200)
    const counted = await world.auth.rows<{ count: number }>('SELECT count FROM counters WHERE key = ANY ($1)', [
      [failedSignInLimit(place).key, wrongCodeLimit('welcome@example.test').key],
    ])
    expect(counted).toEqual([{ count: 1 }, { count: 1 }])
  })
})
