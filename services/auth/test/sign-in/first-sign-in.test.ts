import { afterAll, describe, expect, it } from '@jest/globals'
import { createPeopleFixture } from '../fixture/people.ts'
import { startTestSignIn } from '../fixture/sign-in.ts'

const fixture = await startTestSignIn()
const people = createPeopleFixture(fixture.auth)
afterAll(() => fixture.stop())

const membershipsOf = (email: string) =>
  fixture.auth.rows<{ role: string; name: string }>(
    `SELECT m.built_in_role AS role, w.name FROM memberships m JOIN users u USING (user_id)
     JOIN workspaces w USING (workspace_id) WHERE u.email = $1 ORDER BY m.created_at`,
    [email],
  )

/** Invites an address into the workspace of a stranger. */
async function invite(email: string) {
  const { owner, workspaceId } = await fixture.auth.workspace('Trap')
  const { status } = await people.as(owner).invite(email, 'member')
  expect(status).toBe(201)
  const { link } = await fixture.mailbox.waitFor(({ to }) => to === email)
  return { workspaceId, token: new URL(link ?? '').searchParams.get('token') ?? '' }
}

async function signIn(email: string) {
  const { loginId, code } = await fixture.requestLogin(email)
  expect(await fixture.verify({ login_id: loginId, code })).toMatchObject({ status: 200 })
}

const pendingIn = async (workspaceId: string) =>
  (await fixture.auth.rows('SELECT FROM invitations WHERE workspace_id = $1', [workspaceId])).length

describe('the first sign-in of an invited user', () => {
  it('accepts no invitation and creates a workspace of the own', async () => {
    const email = 'pre-invited@example.test'
    const { workspaceId } = await invite(email)
    await signIn(email)
    expect(await membershipsOf(email)).toEqual([{ role: 'owner', name: "pre-invited's workspace" }])
    expect(await pendingIn(workspaceId)).toBe(1)
    await signIn(email)
    expect(await membershipsOf(email)).toHaveLength(1)
  })

  it('finds the own workspace also when the invitation was accepted before, by its link', async () => {
    const email = 'joined@example.test'
    const { workspaceId, token } = await invite(email)
    const accepted = await fixture.open('POST', '/v1/auth/invitations/accept', { body: { token } })
    expect(accepted).toMatchObject({ status: 200, body: { data: { workspace_id: workspaceId, role: 'member' } } })
    await signIn(email)
    const memberships = await membershipsOf(email)
    expect(memberships.toSorted((a, b) => a.role.localeCompare(b.role))).toEqual([
      { role: 'member', name: 'Trap' },
      { role: 'owner', name: "joined's workspace" },
    ])
    expect(await people.audits(workspaceId, 'invitation.accepted')).toHaveLength(1)
  })

  it('creates one workspace when the link is accepted and the address signs in at the same time', async () => {
    const email = 'twice@example.test'
    const { token } = await invite(email)
    const { loginId, code } = await fixture.requestLogin(email)
    await Promise.all([
      fixture.verify({ login_id: loginId, code }),
      fixture.open('POST', '/v1/auth/invitations/accept', { body: { token } }),
    ])
    const roles = (await membershipsOf(email)).map(({ role }) => role)
    expect(roles.toSorted()).toEqual(['member', 'owner'])
  })
})
