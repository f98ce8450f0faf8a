import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { deleteExpiredRows } from '../../src/store/expired-rows.ts'
import { workerQuery } from '../../src/store/worker-query.ts'
import {
  invalidLoginResponse,
  listAuditEvents,
  type RequestedLogin,
  startTestSignIn,
  type TestSignIn,
  wrongCodeFor,
} from '../fixture/sign-in.ts'

let world: TestSignIn
beforeAll(async () => {
  world = await startTestSignIn()
})
afterAll(() => world.stop())

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

describe('signing in', () => {
  it('works with the token, once', async () => {
    const { loginId, token } = await world.requestLogin('owner@example.test')
    const answer = await world.verify({ login_id: loginId, token })
    expect(answer).toMatchObject({ status: 200, body: signedIn })
    expect(answer.body.data.user).toEqual({
      user_id: world.auth.seeded.owner_user_id,
      email: 'owner@example.test',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.getSetCookie()[0]).toMatch(/^login=; Max-Age=0/)
    expect(await world.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
  })

  it('works with the code, typed with blanks, once', async () => {
    const { loginId, code, token } = await world.requestLogin('owner@example.test')
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await world.verify({ login_id: loginId, code: typed })).toMatchObject({ status: 200, body: signedIn })
    expect(await world.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
  })

  it('gives one session to many who come with the same token at once', async () => {
    const { loginId, token } = await world.requestLogin('owner@example.test')
    const before = await sessions()
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.verify({ login_id: loginId, token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
  })

  const sessions = async () => (await world.auth.rows('SELECT FROM sessions')).length

  it.each<[string, (asked: RequestedLogin, other: RequestedLogin) => Record<string, unknown>]>([
    ['a wrong token', ({ loginId }) => ({ login_id: loginId, token: 'x'.repeat(43) })],
    ['the token of another sign-in', ({ loginId }, { token }) => ({ login_id: loginId, token })],
    [
      'the code of another sign-in',
      ({ loginId, code }, other) => ({
        login_id: loginId,
        code: other.code === code ? wrongCodeFor(code) : other.code,
      }),
    ],
    ['a code that is no code', ({ loginId }) => ({ login_id: loginId, code: 'please' })],
    ['no such sign-in', ({ token }) => ({ login_id: 'login_01h455vb4pex5vsknk084sn02q', token })],
    ['nonsense', ({ code }) => ({ login_id: "' OR 1=1", code })],
    ['no such login code', () => ({ login_code: 'wplc_x', code_verifier: 'x' })],
  ])('gives the one answer to %s', async (_, proof) => {
    const [asked, other] = await Promise.all(
      ['first@example.test', 'second@example.test'].map((email) => world.requestLogin(email)),
    )
    if (asked === undefined || other === undefined) throw new Error('two were asked for')
    const { status, body, headers } = await world.verify(proof(asked, other))
    expect([status, headers.get('cache-control')]).toEqual([401, 'no-store'])
    const { request_id: _id, ...said } = body
    expect(said).toEqual({
      success: false,
      type: 'http://localhost:4000/docs/errors/invalid_login',
      title: 'The sign-in is not valid',
      status: 401,
      code: 'invalid_login',
      detail: 'The sign-in is not valid',
    })
  })

  it('is over after ten minutes', async () => {
    const { loginId, token, code } = await world.requestLogin('late@example.test')
    await world.auth.rows('UPDATE logins SET expires_at = now() WHERE login_id = $1', [loginId])
    expect(await world.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
    expect(await world.verify({ login_id: loginId, code })).toMatchObject(invalidLoginResponse)
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
  ])('asks for one kind of proof, not for %j', async (body, pointer) => {
    expect(await world.verify(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  })

  it('refuses who is disabled, as if nothing were right', async () => {
    const { userId } = await world.auth.workspace()
    const email = `${userId}@example.test`
    const { loginId, token } = await world.requestLogin(email)
    await world.auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await world.verify({ login_id: loginId, token })).toMatchObject(invalidLoginResponse)
    expect(await listAuditEvents(world, loginId)).toMatchObject([{ action: 'user.sign_in_failed', outcome: 'failure' }])
    const { mail } = await world.requestLogin(email)
    expect([mail.code, mail.link]).toEqual([null, null])
  })

  it('is told to the audit log, well or not', async () => {
    const { loginId, code } = await world.requestLogin('owner@example.test')
    await world.verify({ login_id: loginId, code: wrongCodeFor(code) })
    const { user_id: userId } = (await world.verify({ login_id: loginId, code })).body.data.user
    const events = await listAuditEvents(world, loginId)
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
    expect((await listAuditEvents(world, userId)).at(-1)).toMatchObject({
      action: 'user.signed_in',
      outcome: 'success',
      actor: { id: userId, type: 'user' },
      changes: { method: 'mail' },
    })
  })
})

describe('an address nobody knows', () => {
  it('becomes an account with a workspace of its own, however often it comes at once', async () => {
    const email = 'New.Person@example.test'
    const asked = await Promise.all([world.login({ email }), world.login({ email }), world.login({ email })])
    const known = email.toLowerCase()
    await eventually(() => world.mailbox.mails.filter(({ to }) => to === known).length === 3)
    const mails = world.mailbox.mails.filter(({ to }) => to === known)
    // which mail is whose is not said: every token is tried with every sign-in
    const tokens = mails.map(({ link }) => new URL(link ?? '').searchParams.get('token') ?? '')
    const answers = await Promise.all(
      asked.flatMap(({ body }) => tokens.map((token) => world.verify({ login_id: body.data.login_id, token }))),
    )
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(3)
    const [user] = await world.auth.rows<{ user_id: string; verified: boolean }>(
      'SELECT user_id, email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1',
      [known],
    )
    expect(user?.verified).toBe(true)
    const workspaces = await world.auth.rows(
      `SELECT m.built_in_role AS role, w.name FROM memberships m JOIN workspaces w USING (workspace_id) WHERE user_id = $1`,
      [user?.user_id],
    )
    expect(workspaces).toEqual([{ role: 'owner', name: "new.person's workspace" }])
    const actions = (await listAuditEvents(world, user?.user_id ?? '')).map(({ action }) => action)
    expect(actions.filter((action) => !action.startsWith('user.sign_') && action !== 'user.signed_in')).toEqual([
      'user.signed_up',
      'workspace.created',
    ])
  })

  it('joins where it was invited instead', async () => {
    const [email, userId] = ['invited@example.test', 'usr_01h455vb4pex5vsknk084sn0aa']
    await world.auth.rows('INSERT INTO users (user_id, email) VALUES ($1, $2)', [userId, email])
    await world.auth.rows(
      `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
       VALUES ('inv_1', $1, $2, 'viewer', 'hash', 'x', now() + interval '1 day')`,
      [world.auth.seeded.workspace_id, userId],
    )
    const { loginId, code } = await world.requestLogin(email)
    expect(await world.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
    expect(
      await world.auth.rows('SELECT workspace_id, built_in_role FROM memberships WHERE user_id = $1', [userId]),
    ).toEqual([{ workspace_id: world.auth.seeded.workspace_id, built_in_role: 'viewer' }])
  })
})

describe('what is kept of sign-ins', () => {
  it('is removed an hour after their end', async () => {
    const [old, late] = await Promise.all([
      world.requestLogin('old@example.test'),
      world.requestLogin('late@example.test'),
    ])
    const age = (minutes: number, { loginId }: RequestedLogin) =>
      world.auth.rows('UPDATE logins SET expires_at = now() - make_interval(mins => $1) WHERE login_id = $2', [
        minutes,
        loginId,
      ])
    await Promise.all([age(61, old), age(59, late)])
    await deleteExpiredRows(workerQuery(world.auth.context.database.worker), 100)
    const left = async ({ loginId }: RequestedLogin) =>
      (await world.auth.rows('SELECT FROM logins WHERE login_id = $1', [loginId])).length
    expect([await left(old), await left(late)]).toEqual([0, 1])
  })
})
