import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { anonymousSubject, startTestAuth, subject } from '../fixture/auth.ts'
import { createPeopleFixture } from '../fixture/people.ts'

const auth = await startTestAuth()
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const path = '/v1/auth/invitations'
const notFound = { status: 404, body: { code: 'not_found' } }

/** Creates a signed-in user without workspace and as many invitations to new workspaces. */
async function invited(...roles: string[]) {
  const { userId } = await auth.workspace()
  await auth.rows('DELETE FROM memberships WHERE user_id = $1', [userId])
  const caller = { ...subject('user', userId, '', auth.context.shard, []), workspaceId: null }
  const invitations = []
  for (const role of roles) {
    const { workspaceId, owner } = await auth.workspace('Harbour')
    const { body } = await people.as(owner).invite(`${userId}@example.test`, role)
    const id: string = body.data.invitation.id
    const { user_id: invitedId } = body.data
    invitations.push({ id, invitedId, workspaceId, owner, expiresAt: body.data.invitation.expires_at })
  }
  return { userId, caller, invitations }
}

const list = async (caller: Subject, query = '') => (await auth.request('GET', path + query, { caller })).body
const act = (caller: Subject, id: string, verb: 'accept' | 'decline', more = {}) =>
  auth.request('POST', `${path}/${id}/${verb}`, { caller, ...more })

async function firstOf<T>(items: readonly T[]): Promise<T> {
  const [first] = items
  if (first === undefined) throw new Error('expected an item')
  return first
}

describe('the list of own invitations', () => {
  it('contains the pending ones of all workspaces, newest first, in pages', async () => {
    const { caller, invitations } = await invited('member', 'viewer')
    await invited('member')
    const expected = invitations.map(({ id, workspaceId, expiresAt }, index) => ({
      id,
      workspace_id: workspaceId,
      workspace_name: 'Harbour',
      role: ['member', 'viewer'][index],
      created_at: expect.any(String),
      expires_at: expiresAt,
    }))
    const first = await list(caller, '?limit=1')
    const second = await list(caller, `?limit=1&cursor=${first.pagination.next_cursor}`)
    expect([...first.data, ...second.data]).toEqual(expected.toReversed())
    expect(second.pagination).toEqual({ next_cursor: null, has_more: false })
  })

  it('names a custom role, and leaves out expired invitations and those of deleted workspaces', async () => {
    const { caller, invitations } = await invited('viewer', 'viewer', 'viewer')
    const [kept, expired, deleted] = invitations
    await auth.rows('UPDATE invitations SET expires_at = now() WHERE invitation_id = $1', [expired?.id])
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [deleted?.workspaceId])
    const { owner, id } = await firstOf(kept === undefined ? [] : [kept])
    const role = (await people.as(owner).createRole({ name: 'Loader', scopes: ['data:read'] })).body.data
    await people.as(owner).change(kept?.invitedId ?? '', role.role_id)
    expect((await list(caller)).data).toMatchObject([{ id, role: 'Loader' }])
  })

  it('is for users only', async () => {
    expect(await auth.request('GET', path)).toMatchObject({ status: 403, body: { code: 'user_required' } })
    const caller = anonymousSubject(auth.context.shard)
    expect((await auth.request('GET', path, { caller })).status).toBe(401)
  })
})

describe('accepting an own invitation', () => {
  it('creates the membership, audits it in the workspace and ends the invitation', async () => {
    const { userId, caller, invitations } = await invited('member', 'viewer')
    const { id, workspaceId } = await firstOf(invitations)
    const accepted = await act(caller, id, 'accept')
    expect(accepted).toMatchObject({ status: 200, body: { data: { workspace_id: workspaceId, role: 'member' } } })
    expect(await people.currentScopes(userId, workspaceId)).toEqual(expect.arrayContaining([...builtInRoles.member]))
    expect(await people.audits(workspaceId, 'invitation.accepted')).toEqual([
      expect.objectContaining({
        actor: { id: userId, type: 'user' },
        targets: [{ type: 'user', id: userId }],
        changes: { role: 'member' },
      }),
    ])
    expect((await list(caller)).data).toMatchObject([{ role: 'viewer' }])
    expect(await act(caller, id, 'accept')).toMatchObject(notFound)
  })

  it('is not possible for another user, after the expiry, or when the workspace was deleted', async () => {
    const { invitations, caller, userId } = await invited('member', 'member', 'member')
    const [foreign, expired, deleted] = invitations
    const stranger = await invited()
    expect(await act(stranger.caller, foreign?.id ?? '', 'accept')).toMatchObject(notFound)
    await auth.rows('UPDATE invitations SET expires_at = now() WHERE invitation_id = $1', [expired?.id])
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [deleted?.workspaceId])
    for (const one of [expired, deleted]) expect(await act(caller, one?.id ?? '', 'accept')).toMatchObject(notFound)
    expect(await auth.rows('SELECT FROM memberships WHERE user_id = $1', [userId])).toEqual([])
  })
})

describe('declining an own invitation', () => {
  it('ends it without a membership and invalidates its link', async () => {
    const { userId, caller, invitations } = await invited('member')
    const { id, workspaceId } = await firstOf(invitations)
    const token = await people.tokenFor(`${userId}@example.test`)
    const stranger = await invited()
    expect(await act(stranger.caller, id, 'decline')).toMatchObject(notFound)
    const declined = await act(caller, id, 'decline')
    expect(declined).toMatchObject({ status: 200, body: { data: { id, declined: true } } })
    expect((await list(caller)).data).toEqual([])
    expect(await auth.request('POST', `${path}/accept`, { body: { token } })).toMatchObject({ status: 400 })
    expect(await people.currentScopes(userId, workspaceId)).toBeUndefined()
    expect(await people.audits(workspaceId, 'invitation.declined')).toEqual([
      expect.objectContaining({ actor: { id: userId, type: 'user' }, targets: [{ type: 'invitation', id }] }),
    ])
    expect(await act(caller, id, 'decline')).toMatchObject(notFound)
  })
})
