import { afterAll, describe, expect, it } from '@jest/globals'
import { deleteExpired } from '@wp/jobs/background'
import { eventually } from '@wp/testkit'
import { expiryRules } from '../../src/store/expired-rows.ts'
import {
  invalidLoginResponse,
  listAuditEvents,
  type RequestedLogin,
  startTestSignIn,
  wrongCodeFor,
} from '../fixture/sign-in.ts'

const fixture = await startTestSignIn()
afterAll(() => fixture.stop())

const signedIn = {
  success: true,
  data: {
    user: { user_id: expect.stringMatching(/^usr_/), email: expect.any(String) },
    access_token: expect.stringMatching(/^ey/),
    refresh_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_expires_at: expect.any(String),
  },
}

describe('verifying a sign-in', () => {
  it('succeeds once with the token', async () => {
    const { loginId, token } = await fixture.requestLogin('owner@example.test')
    const response = await fixture.verify({ login_id: loginId, token })
    expect(response).toMatchObject({ status: 200, body: signedIn })
    expect(response.body.data.user).toEqual({
      user_id: fixture.auth.seeded.owner_user_id,
      email: 'owner@example.test',
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.getSetCookie()[1]).toMatch(new RegExp(`^${loginId}=; Max-Age=0`))
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
  })

  it('succeeds once with the code, also with white space', async () => {
    const { loginId, code, token } = await fixture.requestLogin('owner@example.test')
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await fixture.verify({ login_id: loginId, code: typed })).toMatchObject({ status: 200, body: signedIn })
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
  })

  it('starts one session when requests with one token are concurrent', async () => {
    const { loginId, token } = await fixture.requestLogin('owner@example.test')
    const before = await sessions()
    const responses = await Promise.all(Array.from({ length: 20 }, () => fixture.verify({ login_id: loginId, token })))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
  })

  const sessions = async () => (await fixture.auth.rows('SELECT FROM sessions')).length

  it.each<[string, (requested: RequestedLogin, other: RequestedLogin) => Record<string, unknown>]>([
    ['a wrong token', ({ loginId }) => ({ login_id: loginId, token: 'x'.repeat(43) })],
    ['the token of another sign-in', ({ loginId }, { token }) => ({ login_id: loginId, token })],
    [
      'the code of another sign-in',
      ({ loginId, code }, other) => ({
        login_id: loginId,
        code: other.code === code ? wrongCodeFor(code) : other.code,
      }),
    ],
    ['a malformed code', ({ loginId }) => ({ login_id: loginId, code: 'please' })],
    ['an unknown login', ({ token }) => ({ login_id: 'login_01h455vb4pex5vsknk084sn02q', token })],
    ['a malformed login id', ({ code }) => ({ login_id: "' OR 1=1", code })],
    ['an unknown login code', () => ({ login_code: 'wplc_x', code_verifier: 'x' })],
  ])('returns the same error for %s', async (_, proof) => {
    const [requested, other] = await Promise.all(
      ['first@example.test', 'second@example.test'].map((email) => fixture.requestLogin(email)),
    )
    if (requested === undefined || other === undefined) throw new Error('two were requested for')
    const { status, body, headers } = await fixture.verify(proof(requested, other))
    expect([status, headers.get('cache-control')]).toEqual([401, 'no-store'])
    const { request_id: _id, ...error } = body
    expect(error).toEqual({
      success: false,
      type: 'http://localhost:4000/docs/errors/invalid_login',
      title: 'The sign-in is not valid',
      status: 401,
      code: 'invalid_login',
      detail: 'The sign-in is not valid',
    })
  })

  it('fails when the login has expired', async () => {
    const { loginId, token, code } = await fixture.requestLogin('late@example.test')
    await fixture.auth.rows('UPDATE logins SET expires_at = now() WHERE login_id = $1', [loginId])
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
  })

  it.each([
    [{}, '/login_id'],
    [{ login_id: 'x' }, '/token'],
    [{ token: 'x' }, '/login_id'],
    [{ login_id: 'x', token: 'x', code: '1' }, '/code'],
    [{ login_code: 'x' }, '/code_verifier'],
    [{ code_verifier: 'x' }, '/login_code'],
    [{ login_code: 'x', code_verifier: 'x', token: 'x' }, '/token'],
    [{ login_code: 'x', code_verifier: 'x', login_id: 'x' }, '/login_id'],
    [{ login_id: 'x', token: 'x', more: 1 }, '/more'],
  ])('requires exactly one kind of proof and rejects %j', async (body, pointer) => {
    expect(await fixture.verify(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('fails with the same error when the user is disabled', async () => {
    const { userId } = await fixture.auth.workspace()
    const email = `${userId}@example.test`
    const { loginId, token } = await fixture.requestLogin(email)
    await fixture.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await fixture.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
    expect(await listAuditEvents(fixture, loginId)).toMatchObject([
      { action: 'user.sign_in_failed', outcome: 'failure' },
    ])
    const { mail } = await fixture.requestLogin(email)
    expect([mail.code, mail.link]).toEqual([null, null])
  })

  it('emits audit events for success and failure', async () => {
    const { loginId, code } = await fixture.requestLogin('owner@example.test')
    await fixture.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const { user_id: userId } = (await fixture.verify({ login_id: loginId, code })).body.data.user
    const events = await listAuditEvents(fixture, loginId)
    expect(events).toMatchObject([
      {
        action: 'user.sign_in_failed',
        outcome: 'failure',
        actor: { type: 'anonymous' },
        targets: [
          { type: 'login', id: loginId },
          { type: 'user', id: userId },
        ],
      },
    ])
    expect((await listAuditEvents(fixture, userId)).at(-1)).toMatchObject({
      action: 'user.signed_in',
      outcome: 'success',
      actor: { id: userId, type: 'user' },
      changes: { method: 'mail' },
    })
  })
})

describe('a sign-in with an unknown address', () => {
  it('creates one account with one workspace when sign-ins are concurrent', async () => {
    const email = 'New.Person@example.test'
    const requested = await Promise.all([fixture.login({ email }), fixture.login({ email }), fixture.login({ email })])
    const known = email.toLowerCase()
    await eventually(() => fixture.mailbox.mails.filter(({ to }) => to === known).length === 3)
    const mails = fixture.mailbox.mails.filter(({ to }) => to === known)
    // The mails do not contain the login id, so every token is tried with every login.
    const tokens = mails.map(({ link }) => new URL(link ?? '').searchParams.get('token') ?? '')
    const responses = await Promise.all(
      requested.flatMap(({ body }) => tokens.map((token) => fixture.verify({ login_id: body.data.login_id, token }))),
    )
    const good = responses.filter(({ status }) => status === 200)
    expect(good).toHaveLength(3)
    const [user] = await fixture.auth.rows<{ userId: string; verified: boolean }>(
      'SELECT user_id, email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1',
      [known],
    )
    expect(user?.verified).toBe(true)
    const workspaces = await fixture.auth.rows(
      `SELECT m.built_in_role AS role, w.name FROM memberships m JOIN workspaces w USING (workspace_id) WHERE user_id = $1`,
      [user?.userId],
    )
    expect(workspaces).toEqual([{ role: 'owner', name: "new.person's workspace" }])
    const actions = (await listAuditEvents(fixture, user?.userId ?? '')).map(({ action }) => action)
    expect(actions.filter((action) => !action.startsWith('user.sign_') && action !== 'user.signed_in')).toEqual([
      'user.signed_up',
      'workspace.created',
    ])
  })
})

describe('stored logins', () => {
  it('are deleted an hour after their expiry', async () => {
    const [old, late] = await Promise.all([
      fixture.requestLogin('old@example.test'),
      fixture.requestLogin('late@example.test'),
    ])
    const age = (minutes: number, { loginId }: RequestedLogin) =>
      fixture.auth.rows('UPDATE logins SET expires_at = now() - make_interval(mins => $1) WHERE login_id = $2', [
        minutes,
        loginId,
      ])
    await Promise.all([age(61, old), age(59, late)])
    for (const rule of expiryRules) await deleteExpired(fixture.auth.context.database.worker, rule)
    const left = async ({ loginId }: RequestedLogin) =>
      (await fixture.auth.rows('SELECT FROM logins WHERE login_id = $1', [loginId])).length
    expect([await left(old), await left(late)]).toEqual([0, 1])
  })
})
