import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { subject } from '../fixture/auth.ts'
import { applicationUri, invalidLoginResponse, pkce, startTestSignIn } from '../fixture/sign-in.ts'

const fixture = await startTestSignIn({ SIGNUP: 'closed' })
afterAll(() => fixture.stop())

/** Creates a user as an invitation does. */
async function createUser(email: string, invitedFor?: string): Promise<string> {
  const userId = newId('usr')
  await fixture.auth.rows('INSERT INTO users (user_id, email) VALUES ($1, $2)', [userId, email])
  if (invitedFor !== undefined)
    await fixture.auth.rows(
      `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
       VALUES ($1, $2, $3, 'member', $1, 'x', now() + $4::interval)`,
      [newId('inv'), fixture.auth.seeded.workspace_id, userId, invitedFor],
    )
  return userId
}

const isMember = async (userId: string) =>
  (await fixture.auth.rows('SELECT FROM memberships WHERE user_id = $1', [userId])).length === 1

const users = async () => (await fixture.auth.rows('SELECT FROM users')).length

describe('closed sign-up', () => {
  it('sends an unknown address a mail without code and link, with the usual response', async () => {
    const { status, headers, body } = await fixture.login({ email: 'stranger@example.test' })
    expect([status, body.data.login_id, headers.getSetCookie().length]).toEqual([202, expect.any(String), 1])
    const mail = await fixture.mailbox.waitFor(({ to }) => to === 'stranger@example.test')
    expect([mail.code, mail.link, mail.subject]).toEqual([null, null, 'Sign in to Workspace platform'])
    expect(mail.text).toContain('There is no account')
    expect(await fixture.auth.rows(`SELECT FROM users WHERE email = 'stranger@example.test'`)).toEqual([])
  })

  it('rejects a sign-in when the invitation was withdrawn since', async () => {
    const email = 'leaving@example.test'
    const userId = await createUser(email, '1 day')
    const requested = await fixture.requestLogin(email)
    const bound = await fixture.requestLogin(email, { redirect_uri: applicationUri, code_challenge: pkce().challenge })
    await fixture.auth.rows('DELETE FROM invitations WHERE user_id = $1', [userId])
    const before = await users()
    const proof = { login_id: requested.loginId, code: requested.code }
    expect(await fixture.verify(proof)).toMatchObject({ status: 403, body: { code: 'signup_closed' } })
    // The proof was invalidated nevertheless.
    expect(await fixture.verify(proof)).toMatchObject(invalidLoginResponse)
    const pressed = await fixture.open('POST', '/v1/auth/login/link', {
      form: { token: bound.token },
      cookie: bound.cookie,
    })
    expect([pressed.status, pressed.body.includes('Sign-up is closed')]).toEqual([403, true])
    expect([await users(), await isMember(userId)]).toEqual([before, false])
  })

  it('accepts invited users, without a workspace of their own, and members', async () => {
    const userId = await createUser('invited@example.test', '1 day')
    const invited = await fixture.requestLogin('invited@example.test')
    expect(await fixture.verify({ login_id: invited.loginId, code: invited.code })).toMatchObject({ status: 200 })
    expect(await isMember(userId)).toBe(false)
    const shard = fixture.auth.context.shard
    const caller = { ...subject('user', userId, '', shard, []), workspaceId: null }
    const { body } = await fixture.auth.request('GET', '/v1/auth/invitations', { caller })
    const [{ id }] = body.data
    expect(await fixture.auth.request('POST', `/v1/auth/invitations/${id}/accept`, { caller })).toMatchObject({
      status: 200,
      body: { data: { workspace_id: fixture.auth.seeded.workspace_id, role: 'member' } },
    })
    const member = await fixture.requestLogin('owner@example.test')
    expect(await fixture.verify({ login_id: member.loginId, token: member.token })).toMatchObject({ status: 200 })
  })

  it('rejects an address when its invitation has expired', async () => {
    await createUser('too-late@example.test', '-1 minute')
    await fixture.login({ email: 'too-late@example.test' })
    const mail = await fixture.mailbox.waitFor(({ to }) => to === 'too-late@example.test')
    expect(mail.code).toBeNull()
  })

  it('accepts a former member who has signed in before', async () => {
    const email = 'former@example.test'
    const userId = await createUser(email)
    await fixture.auth.rows('UPDATE users SET email_verified_at = now() WHERE user_id = $1', [userId])
    const { loginId, code } = await fixture.requestLogin(email)
    expect(await fixture.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
  })
})
