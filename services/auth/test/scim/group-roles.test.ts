import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestAuth } from '../fixture/auth.ts'
import { connectDirectory, patchSchema } from '../fixture/directory.ts'
import { createPeopleFixture } from '../fixture/people.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const policyPath = '/v1/auth/sign-in-policy'

describe('the roles of groups', () => {
  it('follow the first entry of the mapping, the default role, and changes of groups and mapping', async () => {
    const directory = await connectDirectory(auth)
    const { send, asOwner, roleOf } = directory
    const { role_id: auditor } = (
      await asOwner('POST', '/v1/auth/admin/roles', { name: 'Auditor', scopes: ['audit:read'] })
    ).body.data
    const group_roles = [
      { group: 'Admins', role: 'admin' },
      { group: 'auditors', role: auditor },
    ]
    const policy = await asOwner('PATCH', policyPath, { default_role: 'viewer', group_roles })
    expect(policy.body.data).toEqual({
      workspace_id: directory.workspaceId,
      default_role: 'viewer',
      default_role_id: null,
      group_roles: [
        { group: 'Admins', role: 'admin', role_id: null },
        { group: 'auditors', role: 'Auditor', role_id: auditor },
      ],
      updated_at: expect.any(String),
    })
    const [one, two] = [await directory.createUser('one@acme.test'), await directory.createUser('two@acme.test')]
    expect(await roleOf(one.userId)).toBe('viewer')
    const members = [{ value: one.id }, { value: two.id }]
    const auditors = (await send('POST', '/Groups', { displayName: 'Auditors', members })).body.id
    expect([await roleOf(one.userId), await roleOf(two.userId)]).toEqual(['Auditor', 'Auditor'])
    const admins = (await send('POST', '/Groups', { displayName: 'admins', members: [{ value: one.id }] })).body.id
    expect([await roleOf(one.userId), await roleOf(two.userId)]).toEqual(['admin', 'Auditor'])
    await send('PATCH', `/Groups/${admins}`, {
      schemas: [patchSchema],
      Operations: [{ op: 'Replace', path: 'displayName', value: 'Former admins' }],
    })
    expect(await roleOf(one.userId)).toBe('Auditor')
    await send('DELETE', `/Groups/${auditors}`)
    expect([await roleOf(one.userId), await roleOf(two.userId)]).toEqual(['viewer', 'viewer'])
    await asOwner('PATCH', policyPath, { group_roles: [{ group: 'former admins', role: 'member' }] })
    expect([await roleOf(one.userId), await roleOf(two.userId)]).toEqual(['member', 'viewer'])
    const people = createPeopleFixture(auth)
    expect((await people.audits(directory.workspaceId, 'sign_in_policy.changed')).at(-1)).toMatchObject({
      changes: { group_roles: ['former admins: member'], roles_changed: 1 },
    })
    expect((await asOwner('DELETE', `/v1/auth/admin/roles/${auditor}`)).status).toBe(200)
  })

  it('leave roles as they are without a mapping, and never change owners', async () => {
    const directory = await connectDirectory(auth)
    const { id, userId } = await directory.createUser('kept@acme.test')
    await directory.asOwner('PATCH', `/v1/auth/admin/users/${userId}`, { role: 'admin' })
    await directory.send('PUT', `/Users/${id}`, { userName: 'kept@acme.test', title: 'x' })
    expect(await directory.roleOf(userId)).toBe('admin')
    await directory.send('POST', '/Users', { userName: `${directory.ownerId}@example.test` })
    await directory.asOwner('PATCH', policyPath, { group_roles: [{ group: 'x', role: 'member' }] })
    expect([await directory.roleOf(userId), await directory.roleOf(directory.ownerId)]).toEqual(['member', 'owner'])
  })

  it('refuse the owner role, unknown roles and roles beyond the caller, and protect a mapped role', async () => {
    const directory = await connectDirectory(auth)
    const { asOwner } = directory
    const owner = await asOwner('PATCH', policyPath, { group_roles: [{ group: 'a', role: 'owner' }] })
    expect(owner).toMatchObject({ status: 403, body: { code: 'owner_required' } })
    const unknown = await asOwner('PATCH', policyPath, { group_roles: [{ group: 'a', role: 'nothing' }] })
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/group_roles/0/role' }] } })
    const repeated = await asOwner('PATCH', policyPath, {
      group_roles: [
        { group: 'a', role: 'member' },
        { group: 'A', role: 'viewer' },
      ],
    })
    expect(repeated.status).toBe(400)
    const people = createPeopleFixture(auth)
    const { role_id } = (
      await asOwner('POST', '/v1/auth/admin/roles', { name: 'Helper', scopes: ['auth:admin', 'auth:read'] })
    ).body.data
    const caller = await people.member(directory.workspaceId, role_id)
    const beyond = await auth.request('PATCH', policyPath, { caller, body: { default_role: 'admin' } })
    expect(beyond).toMatchObject({ status: 403, body: { code: 'scope_escalation' } })
    await asOwner('PATCH', policyPath, { default_role: role_id })
    await auth.rows('DELETE FROM memberships WHERE role_id = $1', [role_id])
    const deleted = await asOwner('DELETE', `/v1/auth/admin/roles/${role_id}`)
    expect(deleted).toMatchObject({ status: 409, body: { code: 'role_in_use' } })
  })
})
