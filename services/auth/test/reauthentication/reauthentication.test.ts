import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { runConcurrently } from '../fixture/auth.ts'
import { expectExpiry } from '../fixture/expiry.ts'
import { type SignedIn, startTestReauthentication } from '../fixture/reauthentication.ts'
import { invalidLoginResponse, listAuditEvents, wrongCodeFor } from '../fixture/sign-in.ts'

const fixture = await startTestReauthentication()
afterAll(() => fixture.stop())

const minute = 60_000
/** Moves the last authentication of a session back in time. */
const age = ({ sessionId }: SignedIn, seconds: number) =>
  fixture.auth.rows(
    'UPDATE sessions SET authenticated_at = authenticated_at - make_interval(secs => $2) WHERE session_id = $1',
    [sessionId, seconds],
  )
const authenticatedAt = async ({ sessionId }: SignedIn): Promise<number> => {
  const [row] = await fixture.auth.rows<{ authenticatedAt: Date }>(
    'SELECT authenticated_at FROM sessions WHERE session_id = $1',
    [sessionId],
  )
  return row?.authenticatedAt.getTime() ?? 0
}
const attemptsOf = async (loginId: string) =>
  (await fixture.auth.rows<{ n: number }>('SELECT wrong_codes AS n FROM logins WHERE login_id = $1', [loginId]))[0]?.n

describe('a re-authentication', () => {
  it('renews the authentication of the session and returns an access token that states it', async () => {
    const user = await fixture.newUser()
    await age(user, 3_600)
    const before = await authenticatedAt(user)
    const { loginId, code } = await fixture.requestCode(user)
    const { status, headers, body } = await fixture.confirm(user, { login_id: loginId, code })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const after = await authenticatedAt(user)
    expect(after - before).toBeGreaterThanOrEqual(3_590_000)
    const authTime = Math.floor(after / 1000)
    expect(body.data).toEqual({
      session_id: user.sessionId,
      access_token: expect.stringMatching(/^ey/),
      token_type: 'Bearer',
      expires_in: 3600,
      auth_time: authTime,
    })
    expect(decodeJwt(body.data.access_token)).toMatchObject({
      sub: user.userId,
      sid: user.sessionId,
      client_id: 'console',
      auth_time: authTime,
    })
    expect((await fixture.auth.request('GET', '/v1/auth/me', { caller: user.caller })).body.data.credential).toEqual(
      expect.objectContaining({ authenticated_at: new Date(after).toISOString() }),
    )
  })

  it('sends a mail that says what the code is for and contains no link', async () => {
    const user = await fixture.newUser()
    const { body } = await expectExpiry(
      () => fixture.start(user),
      (response) => response.body.data.expires_at,
      10 * minute,
    )
    const mail = await fixture.mailbox.waitFor(({ to }) => to === user.email)
    expect(mail).toMatchObject({ link: null, subject: 'Confirm that it is you: Workspace platform' })
    expect(mail.text).toContain('It cannot be used to sign in.')
    expect(await fixture.confirm(user, { login_id: body.data.login_id, code: mail.code })).toMatchObject({
      status: 200,
    })
  })

  it('is audited, also when the code is wrong', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    const wrong = await fixture.confirm(user, { login_id: loginId, code: wrongCodeFor(code) })
    expect(wrong).toMatchObject(invalidLoginResponse)
    await fixture.confirm(user, { login_id: loginId, code })
    const targets = [
      { type: 'session', id: user.sessionId },
      { type: 'user', id: user.userId },
    ]
    expect(await listAuditEvents(fixture, user.sessionId)).toMatchObject(
      ['failure', 'success'].map((outcome) => ({ action: 'session.reauthenticated', outcome, targets })),
    )
  })

  it('succeeds once when requests with one code are concurrent', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    const confirm = () => fixture.confirm(user, { login_id: loginId, code })
    const locked = { table: 'logins', field: 'login_id', value: loginId }
    const responses = await runConcurrently(fixture.auth, locked, [confirm, confirm])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await confirm()).toMatchObject(invalidLoginResponse)
  })

  it('does not store its response for an idempotency key', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    const confirm = (typed: string) =>
      fixture.confirm(user, { login_id: loginId, code: typed }, { 'idempotency-key': 'one' })
    expect(await confirm(wrongCodeFor(code))).toMatchObject(invalidLoginResponse)
    expect(await confirm(code)).toMatchObject({ status: 200 })
    const stored = await fixture.auth.rows('SELECT FROM platform.idempotency WHERE principal_id = $1', [user.userId])
    expect(stored).toEqual([])
  })
})

describe('the code of a re-authentication', () => {
  it('no longer works after five wrong codes', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    for (let n = 0; n < 5; n += 1)
      expect(await fixture.confirm(user, { login_id: loginId, code: wrongCodeFor(code) })).toMatchObject(
        invalidLoginResponse,
      )
    expect(await fixture.confirm(user, { login_id: loginId, code })).toMatchObject(invalidLoginResponse)
  })

  it('expires', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    await fixture.auth.rows('UPDATE logins SET expires_at = now() WHERE login_id = $1', [loginId])
    expect(await fixture.confirm(user, { login_id: loginId, code })).toMatchObject(invalidLoginResponse)
  })

  it('works only in the session that requested it, and attempts of others are not counted', async () => {
    const user = await fixture.newUser()
    const [otherSession, otherUser] = [await fixture.newSession(user), await fixture.newUser()]
    const { loginId, code } = await fixture.requestCode(user)
    for (const other of [otherSession, otherUser])
      expect(await fixture.confirm(other, { login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await attemptsOf(loginId)).toBe(0)
    expect(await fixture.confirm(user, { login_id: loginId, code })).toMatchObject({ status: 200 })
  })

  it('signs no one in, and the code of a sign-in does not re-authenticate', async () => {
    const user = await fixture.newUser()
    const own = await fixture.requestCode(user)
    expect(await fixture.verify({ login_id: own.loginId, code: own.code })).toMatchObject(invalidLoginResponse)
    const signIn = await fixture.requestLogin(user.email)
    const { loginId, code } = signIn
    expect(await fixture.confirm(user, { login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await Promise.all([own.loginId, loginId].map(attemptsOf))).toEqual([0, 0])
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
    expect(await fixture.confirm(user, { login_id: own.loginId, code: own.code })).toMatchObject({ status: 200 })
  })

  it('is refused when the session has ended', async () => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestCode(user)
    await fixture.auth.rows('UPDATE sessions SET ended_at = now() WHERE session_id = $1', [user.sessionId])
    const revoked = { status: 401, body: { code: 'revoked_credential' } }
    expect(await fixture.confirm(user, { login_id: loginId, code })).toMatchObject(revoked)
    expect(await fixture.start(user)).toMatchObject(revoked)
  })
})

describe('requests for a re-authentication', () => {
  it('are limited per user, separately from sign-in mails', async () => {
    const user = await fixture.newUser()
    const start = () =>
      fixture.auth.request('POST', '/v1/auth/reauthentication', {
        caller: user.caller,
        headers: { 'x-forwarded-for': '192.0.2.77' },
      })
    for (let n = 0; n < 5; n += 1) expect((await start()).status).toBe(202)
    const limited = await start()
    expect(limited).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fixture.login({ email: user.email }, '192.0.2.77')).status).toBe(202)
  })

  it('are refused after ten wrong codes in a day, while sign-in codes still work', async () => {
    const user = await fixture.newUser()
    const requested = [
      await fixture.requestCode(user),
      await fixture.requestCode(user),
      await fixture.requestCode(user),
    ]
    for (const { loginId, code } of requested.slice(0, 2))
      for (let n = 0; n < 5; n += 1) await fixture.confirm(user, { login_id: loginId, code: wrongCodeFor(code) })
    const third = requested[2]
    expect(await fixture.confirm(user, { login_id: third?.loginId, code: third?.code })).toMatchObject(
      invalidLoginResponse,
    )
    expect(await fixture.start(user)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const { loginId, code } = await fixture.requestLogin(user.email)
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
  })

  it('send one mail when they are repeated with an idempotency key', async () => {
    const user = await fixture.newUser()
    const start = () =>
      fixture.auth.request('POST', '/v1/auth/reauthentication', {
        caller: user.caller,
        headers: { 'idempotency-key': 'one' },
      })
    const [first, second] = [await start(), await start()]
    expect([first.status, second.status, second.body]).toEqual([202, 202, first.body])
    expect(await fixture.auth.rows('SELECT FROM logins WHERE session_id = $1', [user.sessionId])).toHaveLength(1)
  })

  it('are for users only', async () => {
    const { status, body } = await fixture.auth.request('POST', '/v1/auth/reauthentication')
    expect([status, body.code]).toEqual([403, 'user_required'])
  })
})

describe('a session with step-up authentication', () => {
  const signIn = async (more: Record<string, unknown>) => {
    const user = await fixture.newUser()
    const { loginId, code } = await fixture.requestLogin(user.email)
    const { body } = await fixture.verify({ login_id: loginId, code, ...more })
    return { tokens: body.data, claims: decodeJwt(body.data.access_token), user }
  }
  const refresh = async (refreshToken: string, more: Record<string, unknown> = {}) => {
    const { body } = await fixture.auth.token({ refresh_token: refreshToken, ...more })
    return { tokens: body.data, claims: decodeJwt(body.data.access_token) }
  }

  it('has access tokens with the time of the sign-in and its maximum age, also after a refresh', async () => {
    const { tokens, claims } = await signIn({ step_up: true })
    const before = Math.floor(Date.now() / 1000)
    await eventually(async () => Math.floor(Date.now() / 1000) > before)
    const next = await refresh(tokens.refresh_token)
    expect(claims).toMatchObject({ auth_time: expect.any(Number), max_auth_age: 600 })
    expect(next.claims).toMatchObject({ auth_time: claims.auth_time, max_auth_age: 600 })
    expect(next.claims.iat).toBeGreaterThan(Number(claims.iat))
  })

  it('has the new time in the tokens issued after a re-authentication', async () => {
    const { tokens, claims, user } = await signIn({ step_up: true })
    const session = {
      ...user,
      sessionId: String(claims.sid),
      caller: { ...user.caller, credentialId: String(claims.sid) },
    }
    await age(session, 3_600)
    const { loginId, code } = await fixture.requestCode(session)
    const { body } = await fixture.confirm(session, { login_id: loginId, code })
    const renewed = decodeJwt(body.data.access_token)
    expect(renewed).toMatchObject({ auth_time: body.data.auth_time, max_auth_age: 600 })
    expect((await refresh(tokens.refresh_token)).claims).toMatchObject({ auth_time: body.data.auth_time })
  })

  it('keeps the maximum age in tokens restricted by workspace or scope', async () => {
    const { tokens } = await signIn({ step_up: true })
    const { workspaces } = (
      await fixture.auth.rows<{ workspaces: string }>(
        `SELECT workspace_id AS workspaces FROM memberships WHERE user_id = $1`,
        [tokens.user.user_id],
      )
    )[0] ?? { workspaces: '' }
    const inWorkspace = await refresh(tokens.refresh_token, { workspace_id: workspaces })
    const scoped = await refresh(inWorkspace.tokens.refresh_token, { scope: 'data:read' })
    for (const { claims } of [inWorkspace, scoped])
      expect(claims).toMatchObject({ auth_time: expect.any(Number), max_auth_age: 600 })
    expect((await refresh(scoped.tokens.refresh_token)).claims.max_auth_age).toBe(600)
  })

  it('is begun on request only', async () => {
    for (const more of [{}, { step_up: false }]) {
      const { claims, tokens } = await signIn(more)
      for (const one of [claims, (await refresh(tokens.refresh_token)).claims]) {
        expect(one.auth_time).toEqual(expect.any(Number))
        expect(one).not.toHaveProperty('max_auth_age')
      }
    }
  })
})
