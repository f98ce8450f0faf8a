import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import { serviceCaller } from '@wp/events'
import { createInvitationMail } from '../../src/operations/invite-user.ts'
import { startTestAuth } from '../fixture/auth.ts'
import { createPeopleFixture, usersPath } from '../fixture/people.ts'

const auth = await startTestAuth({ DATABASE_POOL_SIZE: '8' })
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const path = '/v1/auth/invitations/accept'
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const accept = (token: string, more = {}) => auth.request('POST', path, { body: { token }, ...more })
const invalid = { status: 400, body: expect.objectContaining({ code: 'invalid_invitation' }) }
let serial = 0
const address = () => `person-${serial++}@example.test`
const isVerified = async (email: string) =>
  (
    await auth.rows<{ emailVerifiedAt: Date | null }>('SELECT email_verified_at FROM users WHERE email = $1', [email])
  ).map((row) => row.emailVerifiedAt !== null)

async function invited(role = 'member', email = address()) {
  const { workspaceId, owner } = await auth.workspace('Harbour & Söhne')
  const response = await people.as(owner).invite(email, role)
  const [account] = await auth.rows<{ userId: string }>('SELECT user_id FROM users WHERE email = $1', [email])
  return {
    workspaceId,
    owner,
    email,
    userId: account?.userId ?? '',
    /** Id of the invited user in responses. */
    invitedId: response.body.data.user_id,
    token: await people.tokenFor(email),
    response,
  }
}

describe('inviting a user', () => {
  it('creates the user without a membership and sends a mail with a link', async () => {
    const email = address()
    const { workspaceId, response, userId, invitedId } = await invited('member', email)
    expect(response.status).toBe(201)
    expect(response.body.data).toMatchObject({
      user_id: expect.stringMatching(/^usr_/),
      email,
      role: 'member',
      role_id: null,
      status: 'invited',
      invitation: { id: expect.stringMatching(/^inv_/), expires_at: expect.any(String) },
    })
    const days = (Date.parse(response.body.data.invitation.expires_at) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    expect(response.headers.get('location')).toMatch(new RegExp(`${usersPath}/${invitedId}$`))
    expect(JSON.stringify(response.body)).not.toContain(await people.tokenFor(email))
    const [mail, ...others] = await people.mails(email)
    expect([mail, others]).toEqual([
      expect.stringMatching(/Harbour & Söhne.+as member[\s\S]+invitations\/accept\?token=/),
      [],
    ])
    expect(await isVerified(email)).toEqual([false])
    expect(await people.currentScopes(userId, workspaceId)).toBeUndefined()
    const id = response.body.data.invitation.id
    expect(await people.events(workspaceId, 'USER_INVITED')).toEqual([{ id, status: 'invited', role: 'member' }])
    expect(await people.audits(workspaceId, 'user.invited')).toHaveLength(1)
  })

  it('matches addresses case-insensitively and rejects a member', async () => {
    const { workspaceId, owner, email } = await invited()
    const again = await people.as(owner).invite(email.toUpperCase(), 'viewer')
    expect(again.body.data.email).toBe(email)
    const member = await people.member(workspaceId)
    const response = await people.as(owner).invite(`${member.userId}@EXAMPLE.test`, 'viewer')
    expect(response).toMatchObject({ status: 409, body: { code: 'already_member' } })
    for (const bad of ['no-address', 'a@b@c', ''])
      expect((await people.as(owner).invite(bad, 'viewer')).status).toBe(400)
  })

  it('renews a pending invitation with a new link and role and invalidates the old link', async () => {
    const { workspaceId, owner, email, token, response } = await invited('member')
    const again = await people.as(owner).invite(email, 'viewer')
    expect(again.status).toBe(201)
    expect(again.body.data).toMatchObject({ role: 'viewer', created_at: response.body.data.created_at })
    expect(await accept(token)).toMatchObject(invalid)
    expect((await accept(await people.tokenFor(email))).body.data).toEqual({
      workspace_id: workspaceId,
      role: 'viewer',
    })
    expect((await people.mails(email)).length).toBe(2)
  })

  it('leaves one invitation and one valid link when requests are concurrent', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const email = address()
    const responses = await Promise.all(Array.from({ length: 5 }, () => people.as(owner).invite(email, 'member')))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await auth.rows('SELECT FROM invitations WHERE workspace_id = $1', [workspaceId])).toHaveLength(1)
    const tokens = (await people.mails(email)).map((text) => /token=([\w-]+)/.exec(text)?.[1] ?? '')
    const statuses = await Promise.all(tokens.map(async (token) => (await accept(token)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('is limited to five mails per hour from one workspace to one address', async () => {
    const { owner } = await auth.workspace()
    const email = address()
    for (let mail = 0; mail < 5; mail += 1) expect((await people.as(owner).invite(email, 'member')).status).toBe(201)
    const sixth = await people.as(owner).invite(email, 'member')
    expect(sixth).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await people.mails(email)).toHaveLength(5)
    expect((await people.as(owner).invite(address(), 'member')).status).toBe(201)
  })

  it('is limited per client network across workspaces', async () => {
    const where = from('203.0.113.5')
    const invite = async () => people.as((await auth.workspace()).owner).invite(address(), 'member', where)
    expect((await invite()).status).toBe(201)
    await auth.rows(`UPDATE counters SET count = 500 WHERE key = 'invite:from:203.0.113.5'`)
    expect(await invite()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })

  it('sanitizes workspace and role names in mail and page', async () => {
    const name = 'Win\r\n\r\nGo to https://evil.example/x now, ask a@evil.example'
    const { owner, userId } = await auth.workspace(name)
    await auth.rows(`UPDATE users SET name = $2 WHERE user_id = $1`, [userId, 'Owner\nwww.evil.example'])
    const email = address()
    const role = (await people.as(owner).createRole({ name: 'www.evil.example\n!', scopes: ['data:read'] })).body.data
    await people.as(owner).invite(email, role.role_id)
    const [mail = ''] = await people.mails(email)
    const [, sentence = '', ...rest] = mail.split('\n\n')
    expect(sentence).not.toMatch(/[\r\n\u202e]|https?:\/\/|www\.\w|@\w|evil\.\w/)
    const [{ inviter } = { inviter: '' }] = await auth.rows<{ inviter: string }>(
      `SELECT 'Owner www.evil.example (' || email || ')' AS inviter FROM users WHERE user_id = $1`,
      [userId],
    )
    expect(sentence.replaceAll('\u2060', '')).toBe(
      `${inviter} invited you to the workspace Win Go to https://evil.example/x now, ask a@evil.example, as www.evil.example !.`,
    )
    expect(rest.join().match(/https?:\/\//g)).toHaveLength(1)
    const { subject } = createInvitationMail({
      publicBaseUrl: 'https://api.example',
      workspaceName: `${name}\u202e`,
      role: 'x',
      token: 'y',
      inviter: 'a.evil.example',
    })
    expect(subject).not.toMatch(/[\r\n\u202e]|https?:\/\/|@\w|evil\.\w/)
    expect(subject).toContain('invited you to Win Go to https:')
    const page = await auth.request('GET', `${path}?token=${await people.tokenFor(email)}`)
    expect(page.body).toContain(' invited you to the workspace Win Go to https://evil.example/x now')
  })
})

describe('accepting an invitation', () => {
  it('creates the membership, verifies the address and invalidates the token, without a session', async () => {
    const { workspaceId, owner, email, token, userId, invitedId } = await invited('member')
    expect((await accept(token)).body).toEqual({ success: true, data: { workspace_id: workspaceId, role: 'member' } })
    // The audit log knows the user by the id from before.
    expect((await people.as(owner).get(`${usersPath}/${invitedId}`)).body.data).toMatchObject({
      user_id: userId,
      email,
      status: 'active',
    })
    expect((await people.as((await auth.workspace()).owner).get(`${usersPath}/${invitedId}`)).status).toBe(404)
    expect(await people.currentScopes(userId, workspaceId)).toEqual(expect.arrayContaining([...builtInRoles.member]))
    expect(await isVerified(email)).toEqual([true])
    expect(await accept(token)).toMatchObject(invalid)
    const [audit] = await people.audits(workspaceId, 'invitation.accepted')
    expect(audit).toMatchObject({
      actor: { id: userId, type: 'user' },
      targets: [{ type: 'user', id: userId }],
      changes: { role: 'member' },
    })
  })

  it('is rejected when the token is unknown or expired, the workspace deleted or the user disabled', async () => {
    const [expired, deleted, shut] = [await invited(), await invited(), await invited()]
    await auth.rows(`UPDATE invitations SET expires_at = now() WHERE user_id = $1`, [expired.userId])
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [deleted.workspaceId])
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [shut.userId])
    for (const token of [expired.token, deleted.token, shut.token, 'wpinv_nothing'])
      expect(await accept(token)).toMatchObject(invalid)
    expect(
      await auth.rows('SELECT FROM memberships WHERE user_id = ANY ($1)', [
        [expired, deleted, shut].map((one) => one.userId),
      ]),
    ).toEqual([])
  })

  it('succeeds once when 50 requests are concurrent', async () => {
    const { workspaceId, token } = await invited()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => accept(token, from(`192.0.2.${index}`))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(49)
    expect(await people.audits(workspaceId, 'invitation.accepted')).toHaveLength(1)
  })

  it('is either accepted or withdrawn when both are concurrent', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { workspaceId, owner, token, userId, invitedId } = await invited()
      const [taken, removed] = await Promise.all([accept(token), people.as(owner).remove(invitedId)])
      const isMember = (await people.currentScopes(userId, workspaceId)) !== undefined
      const pending = await auth.rows('SELECT FROM invitations WHERE workspace_id = $1', [workspaceId])
      expect(pending).toEqual([])
      // An accepted invitation has no id any more: its removal is refused.
      const outcomes = [
        { taken: 200, removed: 404, isMember: true },
        { taken: 400, removed: 200, isMember: false },
      ]
      expect(outcomes).toContainEqual({ taken: taken.status, removed: removed.status, isMember })
    }
  })

  it('limits wrong tokens per client network without affecting other networks', async () => {
    // One host can use all addresses of its IPv6 network.
    const where = (host: number) => from(`2001:db8:7:7::${host}`)
    for (let guess = 0; guess < 30; guess += 1) expect((await accept(`guess ${guess}`, where(guess))).status).toBe(400)
    expect(await accept('one more', where(30))).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    const { token } = await invited()
    expect((await accept(token, from('198.51.100.78'))).status).toBe(200)
  })
})

describe('the page of an invitation link', () => {
  const show = (token: string) => auth.request('GET', `${path}?token=${encodeURIComponent(token)}`)
  const press = (token: string) =>
    auth.request('POST', `${path}/confirm`, {
      rawBody: new URLSearchParams({ token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('asks for confirmation without script and changes nothing when opened repeatedly', async () => {
    const { workspaceId, token, userId } = await invited('viewer')
    for (let opened = 0; opened < 3; opened += 1) {
      const { status, headers, body } = await show(token)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(body).toContain('Harbour &amp; Söhne')
      expect(body).toContain('<form method="post" action="/v1/auth/invitations/accept/confirm">')
      expect(body).not.toMatch(/<script|onclick|javascript:/)
    }
    expect(await people.currentScopes(userId, workspaceId)).toBeUndefined()
    expect(await press(token)).toMatchObject({ status: 200, body: expect.stringContaining('You are now a member') })
    expect(await people.currentScopes(userId, workspaceId)).toEqual(builtInRoles.viewer)
  })

  it('shows an error page when the link is invalid', async () => {
    const expired = await invited()
    await auth.rows('UPDATE invitations SET expires_at = now() WHERE user_id = $1', [expired.userId])
    expect(await show(expired.token)).toMatchObject({ status: 400, body: expect.stringContaining('is not valid') })
    for (const response of [await show('nothing'), await auth.request('GET', path), await press('nothing')])
      expect(response).toMatchObject({ status: 400, body: expect.stringContaining('The invitation is not valid') })
    expect((await show(`"><script>alert(1)</script>`)).body).not.toContain('<script>')
  })
})

describe('row-level security', () => {
  it('shows only the own invitations across workspaces', async () => {
    const { userId } = await invited()
    await invited()
    const caller = serviceCaller('auth', { shard: 'x', workspaceId: null, requestId: 'own' })
    const seen = await auth.context.database.transact(caller, async ({ query }) => {
      await query(`SELECT set_config('app.user_id', $1, true)`, [userId])
      return [
        await query<{ userId: string }>('SELECT user_id FROM invitations'),
        await query(`DELETE FROM invitations RETURNING user_id`),
        await query('SELECT FROM memberships'),
      ]
    })
    expect(seen).toEqual([[{ userId }], [], []])
    const after = await auth.context.database.transact(caller, ({ query }) => query('SELECT FROM invitations'))
    expect(after).toEqual([])
  })
})
