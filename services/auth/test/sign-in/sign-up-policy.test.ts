import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { applicationUri, invalidLoginResponse, pkce, startTestSignIn, type TestSignIn } from '../fixture/sign-in.ts'

let world: TestSignIn
beforeAll(async () => {
  world = await startTestSignIn({ SIGNUP: 'closed' })
})
afterAll(() => world.stop())

/** A user, as an invitation makes one. */
async function person(email: string, invitedFor?: string): Promise<string> {
  const userId = newId('usr')
  await world.auth.rows('INSERT INTO users (user_id, email) VALUES ($1, $2)', [userId, email])
  if (invitedFor !== undefined)
    await world.auth.rows(
      `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
       VALUES ($1, $2, $3, 'member', $1, 'x', now() + $4::interval)`,
      [newId('inv'), world.auth.seeded.workspace_id, userId, invitedFor],
    )
  return userId
}

const isMember = async (userId: string) =>
  (await world.auth.rows('SELECT FROM memberships WHERE user_id = $1', [userId])).length === 1

const users = async () => (await world.auth.rows('SELECT FROM users')).length

describe('where new accounts are not open', () => {
  it('mails an address nobody knows that there is no account, and answers as always', async () => {
    const { status, headers, body } = await world.login({ email: 'stranger@example.test' })
    expect([status, body.data.login_id, headers.getSetCookie().length]).toEqual([202, expect.any(String), 1])
    const mail = await world.mailbox.waitFor(({ to }) => to === 'stranger@example.test')
    expect([mail.code, mail.link, mail.subject]).toEqual([null, null, 'Sign in to localhost:4000'])
    expect(mail.text).toContain('There is no account')
    expect(await world.auth.rows(`SELECT FROM users WHERE email = 'stranger@example.test'`)).toEqual([])
  })

  it('makes no account of whoever would sign in nevertheless', async () => {
    const email = 'leaving@example.test'
    const userId = await person(email, '1 day')
    const asked = await world.requestLogin(email)
    const bound = await world.requestLogin(email, { redirect_uri: applicationUri, code_challenge: pkce().challenge })
    await world.auth.rows('DELETE FROM invitations WHERE user_id = $1', [userId])
    const before = await users()
    const proof = { login_id: asked.loginId, code: asked.code }
    expect(await world.verify(proof)).toMatchObject({ status: 403, body: { code: 'signup_closed' } })
    // what was proven is used up all the same
    expect(await world.verify(proof)).toMatchObject(invalidLoginResponse)
    const pressed = await world.open('POST', '/v1/auth/login/link', {
      form: { token: bound.token },
      cookie: bound.cookie,
    })
    expect([pressed.status, pressed.body.includes('New accounts are not open')]).toEqual([403, true])
    expect([await users(), await isMember(userId)]).toEqual([before, false])
  })

  it('lets in who is invited, and who is a member', async () => {
    const userId = await person('invited@example.test', '1 day')
    const invited = await world.requestLogin('invited@example.test')
    expect(await world.verify({ login_id: invited.loginId, code: invited.code })).toMatchObject({ status: 200 })
    expect(await isMember(userId)).toBe(true)
    const member = await world.requestLogin('owner@example.test')
    expect(await world.verify({ login_id: member.loginId, token: member.token })).toMatchObject({ status: 200 })
  })

  it('knows nobody by an invitation that has ended', async () => {
    await person('too-late@example.test', '-1 minute')
    await world.login({ email: 'too-late@example.test' })
    const mail = await world.mailbox.waitFor(({ to }) => to === 'too-late@example.test')
    expect(mail.code).toBeNull()
  })

  it('goes on knowing who has signed in before and is a member no more', async () => {
    const email = 'former@example.test'
    const userId = await person(email)
    await world.auth.rows('UPDATE users SET email_verified_at = now() WHERE user_id = $1', [userId])
    const { loginId, code } = await world.requestLogin(email)
    expect(await world.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
  })
})
