import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type Scope, scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import type { Subject } from '@wp/service'
import { eventually } from '@wp/testkit'
import { presentApiKey, recordInvalidations, startTestAuth, subject } from '../fixture/auth.ts'
import { createPeopleFixture, usersPath } from '../fixture/people.ts'

const auth = await startTestAuth()
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const rejected = (status: number, code: string, more: object = {}) => ({
  status,
  body: expect.objectContaining({ code, ...more }),
})

const inOrder = (a: Scope, b: Scope) => scopes.indexOf(a) - scopes.indexOf(b)

describe('listing workspace users', () => {
  it('returns members and invited users in pages, newest first', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const { userId: second } = await people.member(workspaceId, 'viewer')
    const { body: invited } = await people.as(owner).invite('new@example.test', 'member')
    const first = (await people.as(owner).get(`${usersPath}?limit=2`)).body
    const rest = (await people.as(owner).get(`${usersPath}?limit=2&cursor=${first.pagination.next_cursor}`)).body
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

  it('filters by role (case-insensitive name or id), status and address', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { role_id } = (await people.as(owner).createRole({ name: 'Auditor', scopes: ['audit:read'] })).body.data
    const { userId: auditor } = await people.member(workspaceId, role_id)
    await people.as(owner).invite('asked@example.test', 'viewer')
    const emails = async (query: string) =>
      (await people.as(owner).get(`${usersPath}?${query}`)).body.data.map(({ email }: { email: string }) => email)
    expect(await emails('role=auditor')).toEqual([`${auditor}@example.test`])
    expect(await emails(`role=${role_id}`)).toEqual([`${auditor}@example.test`])
    expect(await emails('role=viewer&status=invited')).toEqual(['asked@example.test'])
    expect(await emails('role=viewer&status=active')).toEqual([])
    expect(await emails('email=ASKED@example.test')).toEqual(['asked@example.test'])
    expect((await people.as(owner).get(`${usersPath}?role=a&nothing=1`)).status).toBe(400)
  })

  it('does not tell whether an invited person has an account', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const known = await auth.workspace()
    for (const email of [`${known.userId}@example.test`, `unknown-${known.userId}@example.test`]) {
      const { data } = (await people.as(owner).invite(email, 'member')).body
      expect(data.user_id.slice(4)).toBe(data.invitation.id.slice(4))
      expect((await people.as(owner).get(`${usersPath}/${data.user_id}`)).body.data).toMatchObject({ email })
      expect((await people.as(owner).change(data.user_id, 'viewer')).body.data).toMatchObject({ role: 'viewer' })
    }
    expect((await people.as(owner).get(`${usersPath}/${known.userId}`)).status).toBe(404)
    expect(await people.currentScopes(known.userId, workspaceId)).toBeUndefined()
  })

  it('hides the name of an invited user', async () => {
    const { owner } = await auth.workspace()
    const elsewhere = await auth.workspace()
    await auth.rows(`UPDATE users SET name = 'Private' WHERE user_id = $1`, [elsewhere.userId])
    const { body } = await people.as(owner).invite(`${elsewhere.userId}@example.test`, 'member')
    expect(body.data).toMatchObject({ name: null, status: 'invited' })
    expect((await people.as(elsewhere.owner).get(`${usersPath}/${elsewhere.userId}`)).body.data.name).toBe('Private')
  })
})

describe('assigning a role', () => {
  it('accepts a built-in name, a case-insensitive custom name or an id', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const { role_id } = (await people.as(owner).createRole({ name: 'Planner', scopes: ['data:read'] })).body.data
    for (const [word, role, id] of [
      ['viewer', 'viewer', null],
      ['PLANNER', 'Planner', role_id],
      ['Admin', 'admin', null],
      [role_id, 'Planner', role_id],
    ])
      expect((await people.as(owner).change(userId, word)).body.data).toMatchObject({ role, role_id: id })
    expect(await people.as(owner).change(userId, 'unknown')).toMatchObject(
      rejected(400, 'unknown_reference', { errors: [expect.objectContaining({ pointer: '/role' })] }),
    )
    const elsewhere = await auth.workspace()
    expect((await people.as(elsewhere.owner).change(elsewhere.userId, role_id)).body.code).toBe('unknown_reference')
    const [audit] = await people.audits(workspaceId, 'user.role_changed')
    expect(audit).toMatchObject({
      actor: owner.principal,
      targets: [{ type: 'user', id: userId }],
      changes: { role: 'viewer', role_before: 'member' },
    })
  })

  it('changes the scopes of existing tokens and publishes an invalidation', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId, 'admin')
    const invalidations = await recordInvalidations(auth)
    await people.as(owner).change(userId, 'viewer')
    expect(await people.currentScopes(userId, workspaceId)).toEqual(builtInRoles.viewer)
    await eventually(() => invalidations.includes(JSON.stringify({ principal_id: userId })))
  })

  it('accepts the user in the body and rejects an unknown user as invalid input', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const patch = (body: object) => auth.request('PATCH', usersPath, { caller: owner, body })
    expect(await patch({ user_id: userId, role: 'viewer' })).toMatchObject({ status: 200 })
    expect(await patch({ user_id: auth.seeded.owner_user_id, role: 'viewer' })).toMatchObject(
      rejected(400, 'unknown_reference', { errors: [expect.objectContaining({ pointer: '/user_id' })] }),
    )
    expect((await people.as(owner).change(auth.seeded.owner_user_id, 'viewer')).status).toBe(404)
    expect((await patch({ role: 'viewer' })).status).toBe(400)
  })

  it('changes the role of a pending invitation', async () => {
    const { owner } = await auth.workspace()
    const { user_id } = (await people.as(owner).invite('soon@example.test', 'member')).body.data
    expect((await people.as(owner).change(user_id, 'viewer')).body.data).toMatchObject({
      role: 'viewer',
      status: 'invited',
    })
    const token = await people.tokenFor('soon@example.test')
    const accepted = await auth.request('POST', '/v1/auth/invitations/accept', { body: { token } })
    expect(accepted.body.data.role).toBe('viewer')
  })
})

describe('removing a user', () => {
  it('deletes the membership and keeps the API keys of the user, flagged', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const leaving = await people.member(workspaceId, 'admin')
    const { body } = await auth.request('POST', '/v1/auth/api-key', { caller: leaving })
    const key = () => auth.request('GET', `/v1/auth/api-key/${body.data.key_id}`, { caller: owner })
    expect((await key()).body.data.creator_removed).toBe(false)
    const response = await people.as(owner).remove(leaving.userId)
    expect(response).toMatchObject({ status: 200, body: { data: { user_id: leaving.userId, deleted: true } } })
    expect((await key()).body.data.creator_removed).toBe(true)
    expect((await auth.resolve(presentApiKey(body.data.api_key))).status).toBe('active')
    expect(await people.events(workspaceId, 'USER_REMOVED')).toEqual([{ id: leaving.userId, status: 'removed' }])
    expect((await people.as(owner).remove(leaving.userId)).status).toBe(404)
    expect(await people.currentScopes(leaving.userId, workspaceId)).toBeUndefined()
  })

  it('deletes the API keys of the user only when revoke_keys is set', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const [leaving, staying] = [await people.member(workspaceId, 'admin'), await people.member(workspaceId, 'admin')]
    const make = async (caller: typeof owner) => (await auth.request('POST', '/v1/auth/api-key', { caller })).body.data
    const [one, two, other] = [await make(leaving), await make(leaving), await make(staying)]
    const invalidations = await recordInvalidations(auth)
    const path = `${usersPath}?user_id=${leaving.userId}&revoke_keys=true`
    expect((await auth.request('DELETE', path, { caller: owner })).status).toBe(200)
    const statuses = [one, two, other].map(async ({ api_key }) => (await auth.resolve(presentApiKey(api_key))).status)
    expect(await Promise.all(statuses)).toEqual(['revoked', 'revoked', 'active'])
    const revoked = (await people.events(workspaceId, 'API_KEY_REVOKED')).map(({ id }) => id)
    expect(revoked.toSorted()).toEqual([one.key_id, two.key_id].toSorted())
    for (const { key_id } of [one, two]) await eventually(() => invalidations.some((text) => text.includes(key_id)))
    const [audit] = await people.audits(workspaceId, 'user.removed')
    expect(audit?.targets).toHaveLength(3)
  })

  it('deletes what the user created through service principals when revoke_keys is set', async () => {
    const { workspaceId, shard, owner } = { ...(await auth.workspace()), shard: auth.context.shard }
    const leaving = await people.member(workspaceId, 'admin')
    const principal = async (caller: typeof owner) => {
      const body = { name: 'Integration', scopes: ['auth:admin', 'auth:keys', 'data:read'] }
      const { client_id: id } = (await auth.request('POST', '/v1/auth/admin/service-principals', { caller, body })).body
        .data
      return subject('service_principal', id, workspaceId, shard, ['auth:admin', 'auth:keys', 'data:read'])
    }
    const [first, other] = [await principal(leaving), await principal(owner)]
    const second = await principal(first)
    const make = async (caller: typeof owner) => (await auth.request('POST', '/v1/auth/api-key', { caller })).body.data
    const keys = [await make(first), await make(second), await make(other)]
    expect(
      (await auth.request('DELETE', `/v1/auth/admin/service-principals/${first.principal.id}`, { caller: owner }))
        .status,
    ).toBe(200)
    const path = `${usersPath}?user_id=${leaving.userId}&revoke_keys=true`
    const invalidations = await recordInvalidations(auth)
    expect((await auth.request('DELETE', path, { caller: owner })).status).toBe(200)
    const statuses = keys.map(async ({ api_key }) => (await auth.resolve(presentApiKey(api_key))).status)
    expect(await Promise.all(statuses)).toEqual(['revoked', 'revoked', 'active'])
    await eventually(() => invalidations.some((text) => text.includes(second.principal.id)))
    const [audit] = await people.audits(workspaceId, 'user.removed')
    expect(audit?.targets).toContainEqual({ type: 'service_principal', id: second.principal.id })
    const remaining = (await auth.request('GET', '/v1/auth/admin/service-principals', { caller: owner })).body.data
    expect(remaining.map(({ client_id }: { client_id: string }) => client_id)).toEqual([other.principal.id])
  })

  it('leaves no key that the user, or a service principal of the user, creates at the same time when revoke_keys is set', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { workspaceId, owner } = await auth.workspace()
      const leaving = await people.member(workspaceId, 'admin')
      const body = { name: 'Integration', scopes: ['auth:keys', 'data:read'] }
      const made = await auth.request('POST', '/v1/auth/admin/service-principals', { caller: leaving, body })
      const { client_id: id } = made.body.data
      const principal = subject('service_principal', id, workspaceId, auth.context.shard, ['auth:keys', 'data:read'])
      const create = (caller: typeof owner) => auth.request('POST', '/v1/auth/api-key', { caller })
      const path = `${usersPath}?user_id=${leaving.userId}&revoke_keys=true`
      const [removed, ...responses] = await Promise.all([
        auth.request('DELETE', path, { caller: owner }),
        ...[leaving, principal, leaving, principal].map(create),
      ])
      expect(removed.status).toBe(200)
      for (const { status, body: created } of responses) {
        expect([201, 401, 403]).toContain(status)
        if (status === 201) expect((await auth.resolve(presentApiKey(created.data.api_key))).status).toBe('revoked')
      }
    }
  })

  it('withdraws a pending invitation', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { user_id } = (await people.as(owner).invite('unwanted@example.test', 'member')).body.data
    const token = await people.tokenFor('unwanted@example.test')
    expect((await people.as(owner).remove(user_id)).status).toBe(200)
    expect(await people.events(workspaceId, 'USER_REMOVED')).toEqual([])
    expect(await people.audits(workspaceId, 'user.removed')).toEqual([])
    expect(await people.audits(workspaceId, 'invitation.withdrawn')).toHaveLength(1)
    expect(await auth.request('POST', '/v1/auth/invitations/accept', { body: { token } })).toMatchObject(
      rejected(400, 'invalid_invitation'),
    )
  })

  it('returns 404 for a user without membership and invitation', async () => {
    const { owner } = await auth.workspace()
    expect((await people.as(owner).remove(auth.seeded.owner_user_id)).status).toBe(404)
    expect((await people.as(owner).remove(newId('usr'))).status).toBe(404)
    expect((await auth.request('DELETE', `${usersPath}?user_id=${newId('usr')}`, { caller: owner })).status).toBe(404)
  })
})

describe('privilege escalation', () => {
  it('is rejected when a caller assigns a role or invites with scopes beyond the own', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const { userId } = await people.member(workspaceId)
    const { role_id } = (await people.as(owner).createRole({ name: 'payer', scopes: ['billing:write'] })).body.data
    const beyond = rejected(403, 'scope_escalation', { scopes_beyond: ['billing:write'] })
    expect(await people.as(admin).change(userId, 'payer')).toMatchObject(beyond)
    expect(await people.as(admin).invite('x@example.test', role_id)).toMatchObject(beyond)
    expect(await people.mails('x@example.test')).toEqual([])
    expect((await people.as(admin).change(userId, 'admin')).status).toBe(200)
    const narrowed = { ...owner, scopes: owner.scopes.filter((scope) => scope !== 'data:write') }
    expect(await people.as(narrowed).change(userId, 'member')).toMatchObject(rejected(403, 'scope_escalation'))
  })

  it('is rejected when a caller who is not an owner assigns the owner role', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const { userId } = await people.member(workspaceId)
    const everything = [...owner.scopes]
    const { role_id } = (await people.as(owner).createRole({ name: 'nearly', scopes: everything })).body.data
    const nearly = await people.member(workspaceId, role_id)
    const machine = await people.machine(workspaceId)
    for (const caller of [await people.member(workspaceId, 'admin'), nearly, machine]) {
      expect(await people.as(caller).change(userId, 'owner')).toMatchObject(rejected(403, 'owner_required'))
      expect(await people.as(caller).invite('y@example.test', 'owner')).toMatchObject(rejected(403, 'owner_required'))
    }
    expect((await people.as(owner).change(userId, 'owner')).body.data.role).toBe('owner')
    expect((await people.as(owner).invite('y@example.test', 'owner')).status).toBe(201)
  })

  it('is rejected when a caller changes, removes or re-invites a user with more scopes', async () => {
    const { workspaceId, owner, userId } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const second = await people.member(workspaceId, 'owner')
    const invited = (await people.as(owner).invite('boss@example.test', 'owner')).body.data.user_id
    const beyond = rejected(403, 'scope_escalation')
    for (const target of [userId, second.userId, invited]) {
      expect(await people.as(admin).change(target, 'viewer')).toMatchObject(beyond)
      expect(await people.as(admin).remove(target)).toMatchObject(beyond)
    }
    expect(await people.as(admin).invite('boss@example.test', 'viewer')).toMatchObject(beyond)
    expect(await people.owners(workspaceId)).toHaveLength(2)
  })

  it('is rejected when the caller was demoted or removed after identification', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const { userId } = await people.member(workspaceId)
    await people.as(owner).change(admin.userId, 'viewer')
    expect(await people.as(admin).change(userId, 'viewer')).toMatchObject(rejected(403, 'missing_scope'))
    await people.as(owner).remove(admin.userId)
    expect(await people.as(admin).change(userId, 'viewer')).toMatchObject(rejected(403, 'workspace_forbidden'))
    const exOwner = await people.member(workspaceId, 'owner')
    await people.as(owner).change(exOwner.userId, 'admin')
    expect(await people.as(exOwner).change(userId, 'owner')).toMatchObject(rejected(403, 'owner_required'))
  })

  it('is rejected when a demoted caller creates, rotates or extends a credential', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const machine = await people.machine(workspaceId)
    const post = (caller: Subject, path: string, body: object = {}) => auth.request('POST', path, { caller, body })
    const machines = '/v1/auth/admin/service-principals'
    const newPrincipal = { name: 'x', scopes: ['data:read'] }
    const { key_id } = (await post(owner, '/v1/auth/api-key', { scopes: ['data:read'] })).body.data
    const { client_id } = (await post(owner, machines, newPrincipal)).body.data
    const credentialRequests = (caller: Subject) => [
      () => post(caller, '/v1/auth/api-key', { scopes: ['data:read'] }),
      () => post(caller, `/v1/auth/api-key/${key_id}/rotate`),
      () => post(caller, machines, newPrincipal),
      () => post(caller, `${machines}/${client_id}/rotate-secret`),
      () =>
        auth.request('PATCH', `${machines}/${client_id}`, { caller, body: { scopes: ['data:read', 'audit:read'] } }),
    ]
    for (const send of [...credentialRequests(admin), ...credentialRequests(machine)])
      expect((await send()).status).toBeLessThan(300)
    await people.as(owner).change(admin.userId, 'viewer')
    const disable = { body: { status: 'disabled' }, caller: owner }
    await auth.request('PATCH', `${machines}/${machine.principal.id}`, disable)
    for (const send of credentialRequests(admin)) expect(await send()).toMatchObject(rejected(403, 'missing_scope'))
    for (const send of credentialRequests(machine))
      expect(await send()).toMatchObject(rejected(401, 'revoked_credential'))
    await people.as(owner).change(admin.userId, 'member')
    expect((await post(admin, '/v1/auth/api-key')).body.data.scopes).toEqual([...builtInRoles.member].toSorted(inOrder))
  })
})
