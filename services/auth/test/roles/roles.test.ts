import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { recordInvalidations, startTestAuth } from '../fixture/auth.ts'
import { createPeopleFixture, rolesPath } from '../fixture/people.ts'

const auth = await startTestAuth()
const people = createPeopleFixture(auth)
afterAll(() => auth.stop())

const rejected = (status: number, code: string, more: object = {}) => ({
  status,
  body: expect.objectContaining({ code, ...more }),
})

describe('listing roles', () => {
  it('returns built-in roles, then custom roles newest first, in pages', async () => {
    const { owner } = await auth.workspace()
    for (const name of ['first', 'second', 'third']) await people.as(owner).createRole({ name, scopes: ['data:read'] })
    const expected = ['owner', 'admin', 'member', 'viewer', 'third', 'second', 'first']
    for (const limit of [1, 3, 4, 5, 100]) {
      const names: string[] = []
      let cursor = ''
      do {
        const { body } = await people.as(owner).get(`${rolesPath}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(body.data.length).toBeLessThanOrEqual(limit)
        names.push(...body.data.map(({ name }: { name: string }) => name))
        cursor = body.pagination.next_cursor ?? ''
      } while (cursor !== '')
      expect([limit, names]).toEqual([limit, expected])
    }
  })

  it('filters by built-in and custom roles', async () => {
    const { owner } = await auth.workspace()
    const { role_id } = (await people.as(owner).createRole({ name: 'own', scopes: ['data:read'] })).body.data
    const ids = async (query: string) =>
      (await people.as(owner).get(`${rolesPath}?${query}`)).body.data.map((role: { role_id: string }) => role.role_id)
    expect(await ids('built_in=true')).toEqual(Object.keys(builtInRoles))
    expect(await ids('built_in=false')).toEqual([role_id])
    expect((await people.as(owner).get(`${rolesPath}/owner`)).body.data).toEqual({
      role_id: 'owner',
      name: 'owner',
      description: null,
      scopes: builtInRoles.owner,
      built_in: true,
      created_at: null,
      updated_at: null,
    })
    expect((await people.as(owner).get(`${rolesPath}/unknown`)).status).toBe(404)
    expect((await people.as(owner).get(`${rolesPath}/${newId('role')}`)).status).toBe(404)
  })
})

describe('creating a role', () => {
  it('stores name, description and scopes in catalog order', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const body = { name: 'Reader', description: 'reads', scopes: ['data:read', 'workspace:read', 'data:read'] }
    const { status, headers, body: response } = await people.as(owner).createRole(body)
    expect(status).toBe(201)
    expect(response.data).toMatchObject({
      role_id: expect.stringMatching(/^role_/),
      name: 'Reader',
      description: 'reads',
      scopes: ['workspace:read', 'data:read'],
      built_in: false,
    })
    expect(headers.get('location')).toMatch(new RegExp(`${rolesPath}/${response.data.role_id}$`))
    expect((await people.as(owner).get(`${rolesPath}/${response.data.role_id}`)).body.data).toEqual(response.data)
    expect(await people.audits(workspaceId, 'role.created')).toHaveLength(1)
  })

  it('rejects a name in use, case-insensitively, also when 20 requests are concurrent', async () => {
    const { owner } = await auth.workspace()
    const create = (name: string) => people.as(owner).createRole({ name, scopes: ['data:read'] })
    const twins = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index % 2 === 0 ? 'Twin' : 'twin')))
    expect(twins.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    for (const name of ['TWIN', 'Owner', 'viewer'])
      expect(await create(name)).toMatchObject(rejected(409, 'name_taken'))
    for (const name of ['role_x', '', ' ']) expect((await create(name)).status).toBe(400)
    const other = await auth.workspace()
    expect((await people.as(other.owner).createRole({ name: 'Twin', scopes: ['data:read'] })).status).toBe(201)
  })

  it.each([
    ['an invisible character', 'analyst', 'analyst\u200b', 400, 'validation_failed'],
    ['white space around it', 'analyst', ' analyst ', 409, 'name_taken'],
    ['decomposed letters', 'M\u00fcller', 'Mu\u0308ller', 409, 'name_taken'],
    ['letters of another script', 'analyst', '\u0430nalyst', 409, 'name_taken'],
    ['letters of full width', 'bid', '\uff42\uff49\uff44', 409, 'name_taken'],
    ['a digit for a letter', 'Level l', 'Level 1', 409, 'name_taken'],
    ['full-width letters', 'sales', '\uff53\uff41\uff4c\uff45\uff53', 409, 'name_taken'],
  ])('rejects a name that differs from another by %s', async (_, first, second, status, code) => {
    const { owner } = await auth.workspace()
    const create = (name: string) => people.as(owner).createRole({ name, scopes: ['data:read'] })
    expect((await create(first)).status).toBe(201)
    expect(await create(second)).toMatchObject(rejected(status, code))
  })

  it('rejects a name that looks like that of a built-in role', async () => {
    const { owner } = await auth.workspace()
    for (const name of ['\u0430dmin', '\u043ewner', 'V\u0456ewer'])
      expect(await people.as(owner).createRole({ name, scopes: ['data:read'] })).toMatchObject(
        rejected(409, 'name_taken'),
      )
  })

  it('rejects scopes the creator does not have', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    expect(await people.as(admin).createRole({ name: 'a', scopes: ['data:read', 'billing:write'] })).toMatchObject(
      rejected(403, 'scope_escalation', { scopes_beyond: ['billing:write'] }),
    )
    expect((await people.as(owner).createRole({ name: 'a', scopes: ['billing:write'] })).status).toBe(201)
    expect((await people.as(owner).createRole({ name: 'b', scopes: [] })).status).toBe(400)
    expect((await people.as(owner).createRole({ name: 'b', scopes: ['everything'] })).status).toBe(400)
  })
})

describe('updating a role', () => {
  it('merges fields and applies to all holders at once', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const created = { name: 'flexible', description: 'x', scopes: ['data:read'] }
    const { role_id } = (await people.as(owner).createRole(created)).body.data
    const { userId } = await people.member(workspaceId, role_id)
    const invalidations = await recordInvalidations(auth)
    const { body } = await people.as(owner).changeRole(role_id, { scopes: ['data:read', 'data:write'] })
    expect(body.data).toMatchObject({ name: 'flexible', description: 'x', scopes: ['data:read', 'data:write'] })
    expect(await people.currentScopes(userId, workspaceId)).toEqual(['data:read', 'data:write'])
    await eventually(() => invalidations.includes(JSON.stringify({ workspace_id: workspaceId })))
    const renamed = await people.as(owner).changeRole(role_id, { name: 'Flexible', description: null })
    expect(renamed.body.data).toMatchObject({
      name: 'Flexible',
      description: null,
      scopes: ['data:read', 'data:write'],
    })
  })

  it('is rejected for built-in roles, names in use and roles of other workspaces', async () => {
    const { owner } = await auth.workspace()
    const { role_id } = (await people.as(owner).createRole({ name: 'one', scopes: ['data:read'] })).body.data
    await people.as(owner).createRole({ name: 'two', scopes: ['data:read'] })
    for (const name of ['Two', 'ADMIN', 'tw\u043e'])
      expect(await people.as(owner).changeRole(role_id, { name })).toMatchObject(rejected(409, 'name_taken'))
    expect(await people.as(owner).changeRole('member', { name: 'x' })).toMatchObject(rejected(409, 'conflict'))
    const other = await auth.workspace()
    expect((await people.as(other.owner).changeRole(role_id, { name: 'x' })).status).toBe(404)
    const named = await auth.request('PATCH', rolesPath, { caller: other.owner, body: { role_id, name: 'x' } })
    expect(named).toMatchObject(
      rejected(400, 'unknown_reference', { errors: [expect.objectContaining({ pointer: '/role_id' })] }),
    )
    const own = await auth.request('PATCH', rolesPath, { caller: owner, body: { role_id, name: 'x' } })
    expect(own.body.data.name).toBe('x')
  })

  it('is rejected when the old or new scopes exceed those of the caller', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const admin = await people.member(workspaceId, 'admin')
    const make = async (name: string, scopes: string[]) =>
      (await people.as(owner).createRole({ name, scopes })).body.data.role_id
    const [low, high] = [await make('low', ['data:read']), await make('high', ['data:read', 'billing:write'])]
    const beyond = rejected(403, 'scope_escalation', { scopes_beyond: ['billing:write'] })
    expect(await people.as(admin).changeRole(low, { scopes: ['billing:write'] })).toMatchObject(beyond)
    expect(await people.as(admin).changeRole(high, { scopes: ['data:read'] })).toMatchObject(beyond)
    expect(await people.as(admin).deleteRole(high)).toMatchObject(beyond)
    expect((await people.as(admin).changeRole(low, { scopes: ['data:write'] })).status).toBe(200)
  })
})

describe('deleting a role', () => {
  it('is rejected when the role has members or invitations', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const ask = people.as(owner)
    const { role_id } = (await ask.createRole({ name: 'busy', scopes: ['data:read'] })).body.data
    const { userId } = await people.member(workspaceId, role_id)
    const { user_id } = (await ask.invite('busy@example.test', 'busy')).body.data
    expect(await ask.deleteRole(role_id)).toMatchObject(rejected(409, 'role_in_use'))
    await ask.change(userId, 'viewer')
    expect(await ask.deleteRole(role_id)).toMatchObject(rejected(409, 'role_in_use'))
    await ask.remove(user_id)
    expect(await ask.deleteRole(role_id)).toMatchObject({ status: 200, body: { data: { role_id, deleted: true } } })
    expect((await ask.get(`${rolesPath}/${role_id}`)).status).toBe(404)
    const gone = await auth.request('DELETE', `${rolesPath}?role_id=${role_id}`, { caller: owner })
    expect(gone.status).toBe(404)
    expect(await ask.deleteRole('viewer')).toMatchObject(rejected(409, 'conflict'))
    const named = (await ask.createRole({ name: 'named', scopes: ['data:read'] })).body.data.role_id
    expect((await auth.request('DELETE', `${rolesPath}?role_id=${named}`, { caller: owner })).status).toBe(200)
    expect((await people.audits(workspaceId, 'role.deleted')).map(({ targets }) => targets)).toEqual(
      [role_id, named].map((id) => [{ type: 'role', id }]),
    )
  })

  it('or its concurrent assignment is rejected; never do both succeed', async () => {
    const { workspaceId, owner } = await auth.workspace()
    const ask = people.as(owner)
    for (let round = 0; round < 8; round += 1) {
      const { role_id } = (await ask.createRole({ name: `r${round}`, scopes: ['data:read'] })).body.data
      const { userId } = await people.member(workspaceId)
      const [given, deleted] = await Promise.all([ask.change(userId, role_id), ask.deleteRole(role_id)])
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([given.status, deleted.status])
    }
  })
})
