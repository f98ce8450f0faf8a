import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type Scope, scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Subject } from '@wp/service'
import { eventually } from '@wp/testkit'
import { presentApiKey, startTestAuth, type TestAuth } from '../fixture/auth.ts'
import { createPeopleFixture, usersPath } from '../fixture/people.ts'

let auth: TestAuth
let people: ReturnType<typeof createPeopleFixture>
beforeAll(async () => {
  auth = await startTestAuth()
  people = createPeopleFixture(auth)
})
afterAll(() => auth.stop())

const refused = (status: number, code: string, more: object = {}) => ({
  status,
  body: expect.objectContaining({ code, ...more }),
})

const inOrder = (a: Scope, b: Scope) => scopes.indexOf(a) - scopes.indexOf(b)

describe('listing', () => {
  it('pages through members and those who are invited, who came last first', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const { userId: second } = await people.member(workspaceId, 'viewer')
    const { body: invited } = await people.ask(owner).invite('new@example.test', 'member')
    const first = (await people.ask(owner).get(`${usersPath}?limit=2`)).body
    const rest = (await people.ask(owner).get(`${usersPath}?limit=2&cursor=${first.pagination.next_cursor}`)).body
    expect([...first.data, ...rest.data].map(({ user_id }) => user_id)).toEqual([invited.data.user_id, second, userId])
    expect([first.pagination.has_more, rest.pagination.has_more]).toEqual([true, false])
    expect(rest.data[0]).toEqual({
      user_id: userId,
      email: `${userId}@example.test`,
      name: null,
      role: 'owner',
      role_id: null,
      status: 'active',
      invitation: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it('filters by role (name in whatever case, or identifier), status and address', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { role_id } = (await people.ask(owner).createRole({ name: 'Auditor', scopes: ['audit:read'] })).body.data
    const { userId: auditor } = await people.member(workspaceId, role_id)
    await people.ask(owner).invite('asked@example.test', 'viewer')
    const emails = async (query: string) =>
      (await people.ask(owner).get(`${usersPath}?${query}`)).body.data.map(({ email }: { email: string }) => email)
    expect(await emails('role=auditor')).toEqual([`${auditor}@example.test`])
    expect(await emails(`role=${role_id}`)).toEqual([`${auditor}@example.test`])
    expect(await emails('role=viewer&status=invited')).toEqual(['asked@example.test'])
    expect(await emails('role=viewer&status=active')).toEqual([])
    expect(await emails('email=ASKED@example.test')).toEqual(['asked@example.test'])
    expect((await people.ask(owner).get(`${usersPath}?role=a&nothing=1`)).status).toBe(400)
  })

  it('does not tell what somebody calls themselves elsewhere before they have come', async () => {
    const { owner } = await auth.workspace()
    const elsewhere = await auth.workspace()
    await auth.rows(`UPDATE users SET name = 'Private' WHERE user_id = $1`, [elsewhere.userId])
    const { body } = await people.ask(owner).invite(`${elsewhere.userId}@example.test`, 'member')
    expect(body.data).toMatchObject({ user_id: elsewhere.userId, name: null, status: 'invited' })
    expect((await people.ask(elsewhere.owner).get(`${usersPath}/${elsewhere.userId}`)).body.data.name).toBe('Private')
  })
})

describe('giving another role', () => {
  it('takes a built-in name, a custom name in whatever case, or an identifier', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const { role_id } = (await people.ask(owner).createRole({ name: 'Planner', scopes: ['data:read'] })).body.data
    for (const [word, role, id] of [
      ['viewer', 'viewer', null],
      ['PLANNER', 'Planner', role_id],
      ['Admin', 'admin', null],
      [role_id, 'Planner', role_id],
    ])
      expect((await people.ask(owner).change(userId, word)).body.data).toMatchObject({ role, role_id: id })
    expect(await people.ask(owner).change(userId, 'nobody')).toMatchObject(
      refused(400, 'unknown_reference', { errors: [expect.objectContaining({ pointer: '/role' })] }),
    )
    const elsewhere = await auth.workspace()
    expect((await people.ask(elsewhere.owner).change(elsewhere.userId, role_id)).body.code).toBe('unknown_reference')
    const [audit] = await people.audits(workspaceId, 'user.role_changed')
    expect(audit).toMatchObject({
      actor: owner.principal,
      targets: [{ type: 'user', id: userId }],
      changes: { role: 'viewer', role_before: 'member' },
    })
  })

  it('changes what their tokens may do, and says so to the edges', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId, 'admin')
    const heard: string[] = []
    auth.context.bus.subscribe('invalidate.identities', (data) => heard.push(JSON.stringify(data)))
    await people.ask(owner).change(userId, 'viewer')
    expect(await people.standing(userId, workspaceId)).toEqual(builtInRoles.viewer)
    await eventually(() => heard.includes(JSON.stringify({ principal_id: userId })))
  })

  it('is the same with the user named in the body, where a stranger is wrong input', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const patch = (body: object) => auth.request('PATCH', usersPath, { caller: owner, body })
    expect(await patch({ user_id: userId, role: 'viewer' })).toMatchObject({ status: 200 })
    expect(await patch({ user_id: auth.seeded.owner_user_id, role: 'viewer' })).toMatchObject(
      refused(400, 'unknown_reference', { errors: [expect.objectContaining({ pointer: '/user_id' })] }),
    )
    expect((await people.ask(owner).change(auth.seeded.owner_user_id, 'viewer')).status).toBe(404)
    expect((await patch({ role: 'viewer' })).status).toBe(400)
  })

  it('reaches the pending invitation of somebody who has not come yet', async () => {
    const { owner } = await auth.workspace()
    const { user_id } = (await people.ask(owner).invite('soon@example.test', 'member')).body.data
    expect((await people.ask(owner).change(user_id, 'viewer')).body.data).toMatchObject({
      role: 'viewer',
      status: 'invited',
    })
    const token = await people.tokenFor('soon@example.test')
    const accepted = await auth.request('POST', '/v1/auth/invitations/accept', { body: { token } })
    expect(accepted.body.data.role).toBe('viewer')
  })
})

describe('removing', () => {
  it('ends the membership and leaves keys to the workspace, flagged', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const leaving = await people.member(workspaceId, 'admin')
    const { body } = await auth.request('POST', '/v1/auth/api-key', { caller: leaving })
    const key = () => auth.request('GET', `/v1/auth/api-key/${body.data.key_id}`, { caller: owner })
    expect((await key()).body.data.creator_removed).toBe(false)
    const answer = await people.ask(owner).remove(leaving.userId)
    expect(answer).toMatchObject({ status: 200, body: { data: { user_id: leaving.userId, deleted: true } } })
    expect((await key()).body.data.creator_removed).toBe(true)
    expect((await auth.resolve(presentApiKey(body.data.api_key))).status).toBe('active')
    expect(await people.events(workspaceId, 'USER_REMOVED')).toEqual([{ id: leaving.userId, status: 'removed' }])
    expect((await people.ask(owner).remove(leaving.userId)).status).toBe(404)
    expect(await people.standing(leaving.userId, workspaceId)).toBeUndefined()
  })

  it('ends their keys too where it is asked, and no one else’s', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const [leaving, staying] = [await people.member(workspaceId, 'admin'), await people.member(workspaceId, 'admin')]
    const make = async (caller: typeof owner) => (await auth.request('POST', '/v1/auth/api-key', { caller })).body.data
    const [one, two, other] = [await make(leaving), await make(leaving), await make(staying)]
    const heard: string[] = []
    auth.context.bus.subscribe('invalidate.identities', (data) => heard.push(JSON.stringify(data)))
    const path = `${usersPath}?user_id=${leaving.userId}&revoke_keys=true`
    expect((await auth.request('DELETE', path, { caller: owner })).status).toBe(200)
    const statuses = [one, two, other].map(async ({ api_key }) => (await auth.resolve(presentApiKey(api_key))).status)
    expect(await Promise.all(statuses)).toEqual(['revoked', 'revoked', 'active'])
    const revoked = (await people.events(workspaceId, 'API_KEY_REVOKED')).map(({ id }) => id)
    expect(revoked.toSorted()).toEqual([one.key_id, two.key_id].toSorted())
    for (const { key_id } of [one, two]) await eventually(() => heard.some((text) => text.includes(key_id)))
    const [audit] = await people.audits(workspaceId, 'user.removed')
    expect(audit?.targets).toHaveLength(3)
  })

  it('takes an invitation back', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { user_id } = (await people.ask(owner).invite('unwanted@example.test', 'member')).body.data
    const token = await people.tokenFor('unwanted@example.test')
    expect((await people.ask(owner).remove(user_id)).status).toBe(200)
    expect(await auth.request('POST', '/v1/auth/invitations/accept', { body: { token } })).toMatchObject(
      refused(400, 'invalid_invitation'),
    )
    expect(await people.events(workspaceId, 'USER_REMOVED')).toHaveLength(1)
  })

  it('is for members and invited ones alone', async () => {
    const { owner } = await auth.workspace()
    expect((await people.ask(owner).remove(auth.seeded.owner_user_id)).status).toBe(404)
    expect((await people.ask(owner).remove(newId('usr'))).status).toBe(404)
    expect((await auth.request('DELETE', `${usersPath}?user_id=${newId('usr')}`, { caller: owner })).status).toBe(404)
  })
})

describe('nobody goes above themselves', () => {
  it('by inviting or giving a role beyond their own scopes', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const { userId } = await people.member(workspaceId)
    const { role_id } = (await people.ask(owner).createRole({ name: 'payer', scopes: ['billing:write'] })).body.data
    const beyond = refused(403, 'scope_escalation', { scopes_beyond: ['billing:write'] })
    expect(await people.ask(admin).change(userId, 'payer')).toMatchObject(beyond)
    expect(await people.ask(admin).invite('x@example.test', role_id)).toMatchObject(beyond)
    expect(await people.mails('x@example.test')).toEqual([])
    expect((await people.ask(admin).change(userId, 'admin')).status).toBe(200)
    const narrowed = { ...owner, scopes: owner.scopes.filter((scope) => scope !== 'data:write') }
    expect(await people.ask(narrowed).change(userId, 'member')).toMatchObject(refused(403, 'scope_escalation'))
  })

  it('by making owners, unless they are one: whatever their scopes', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const everything = [...owner.scopes]
    const { role_id } = (await people.ask(owner).createRole({ name: 'nearly', scopes: everything })).body.data
    const nearly = await people.member(workspaceId, role_id)
    const machine = await people.machine(workspaceId)
    for (const caller of [await people.member(workspaceId, 'admin'), nearly, machine]) {
      expect(await people.ask(caller).change(userId, 'owner')).toMatchObject(refused(403, 'owner_required'))
      expect(await people.ask(caller).invite('y@example.test', 'owner')).toMatchObject(refused(403, 'owner_required'))
    }
    expect((await people.ask(owner).change(userId, 'owner')).body.data.role).toBe('owner')
    expect((await people.ask(owner).invite('y@example.test', 'owner')).status).toBe(201)
  })

  it('by changing, removing or inviting anew who may more than they', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const second = await people.member(workspaceId, 'owner')
    const invited = (await people.ask(owner).invite('boss@example.test', 'owner')).body.data.user_id
    const beyond = refused(403, 'scope_escalation')
    for (const target of [userId, second.userId, invited]) {
      expect(await people.ask(admin).change(target, 'viewer')).toMatchObject(beyond)
      expect(await people.ask(admin).remove(target)).toMatchObject(beyond)
    }
    expect(await people.ask(admin).invite('boss@example.test', 'viewer')).toMatchObject(beyond)
    expect(await people.owners(workspaceId)).toHaveLength(2)
  })

  it('by a credential that remembers what they were before', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const { userId } = await people.member(workspaceId)
    await people.ask(owner).change(admin.userId, 'viewer')
    expect(await people.ask(admin).change(userId, 'viewer')).toMatchObject(refused(403, 'missing_scope'))
    await people.ask(owner).remove(admin.userId)
    expect(await people.ask(admin).change(userId, 'viewer')).toMatchObject(refused(403, 'workspace_forbidden'))
    const exOwner = await people.member(workspaceId, 'owner')
    await people.ask(owner).change(exOwner.userId, 'admin')
    expect(await people.ask(exOwner).change(userId, 'owner')).toMatchObject(refused(403, 'owner_required'))
  })

  it('by making a credential that lasts, of what they were a moment ago', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const machine = await people.machine(workspaceId)
    const post = (caller: Subject, path: string, body: object = {}) => auth.request('POST', path, { caller, body })
    const machines = '/v1/auth/admin/service-principals'
    const asked = { name: 'x', scopes: ['data:read'] }
    const { key_id } = (await post(owner, '/v1/auth/api-key', { scopes: ['data:read'] })).body.data
    const { client_id } = (await post(owner, machines, asked)).body.data
    const making = (caller: Subject) => [
      () => post(caller, '/v1/auth/api-key', { scopes: ['data:read'] }),
      () => post(caller, `/v1/auth/api-key/${key_id}/rotate`),
      () => post(caller, machines, asked),
      () => post(caller, `${machines}/${client_id}/rotate-secret`),
      () =>
        auth.request('PATCH', `${machines}/${client_id}`, { caller, body: { scopes: ['data:read', 'audit:read'] } }),
    ]
    for (const make of [...making(admin), ...making(machine)]) expect((await make()).status).toBeLessThan(300)
    await people.ask(owner).change(admin.userId, 'viewer')
    const gone = { body: { status: 'disabled' }, caller: owner }
    await auth.request('PATCH', `${machines}/${machine.principal.id}`, gone)
    for (const make of making(admin)) expect(await make()).toMatchObject(refused(403, 'missing_scope'))
    for (const make of making(machine)) expect(await make()).toMatchObject(refused(401, 'revoked_credential'))
    await people.ask(owner).change(admin.userId, 'member')
    expect((await post(admin, '/v1/auth/api-key')).body.data.scopes).toEqual([...builtInRoles.member].toSorted(inOrder))
  })
})
