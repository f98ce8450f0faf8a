import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { slugCandidates } from '../../src/store/workspaces/workspaces.ts'
import { recordInvalidations, startTestAuth, subject, type TestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

type Options = Parameters<TestAuth['request']>[2]

const request = async (method: string, path: string, options: Options = {}) =>
  await auth.request(method, `/v1/system/${path}`, options)

describe('workspace creation', () => {
  it('makes the caller the owner and publishes an invalidation', async () => {
    const invalidations = await recordInvalidations(auth)
    const caller = { ...auth.owner, workspaceId: null, scopes: [] }
    const body = { name: 'Café Übermut & Söhne', metadata: { plan: 'trial' } }
    const { status, headers, body: response } = await request('POST', 'workspaces', { caller, body })
    expect(status).toBe(201)
    const path = new URL(headers.get('location') ?? '').pathname
    expect((await auth.request('GET', path, { caller })).body).toEqual(response)
    const filtered = async (pairs: string) => (await request('GET', `workspaces?${pairs}`, { caller })).body.data.length
    expect(await Promise.all(['metadata[plan]=trial', 'metadata[plan]=paid'].map(filtered))).toEqual([1, 0])
    const { workspaceId, owner: stranger } = await auth.workspace('Elsewhere')
    expect((await auth.request('GET', path, { caller: stranger })).status).toBe(404)
    const machine = { ...auth.owner, principal: { id: newId('sp'), type: 'service_principal' as const }, workspaceId }
    expect((await auth.request('GET', path, { caller: machine })).status).toBe(404)
    const own = `/v1/system/workspaces/${workspaceId}`
    expect((await auth.request('GET', own, { caller: machine })).body.data.name).toBe('Elsewhere')
    expect(response.data).toEqual({
      workspace_id: expect.stringMatching(/^ws_/),
      name: 'Café Übermut & Söhne',
      slug: 'cafe-ubermut-sohne',
      shard: auth.context.shard,
      location: 'TST',
      role: 'owner',
      metadata: { plan: 'trial' },
      settings: { timezone: 'UTC', locale: 'en' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await eventually(() => invalidations.includes(JSON.stringify({ principal_id: auth.seeded.owner_user_id })))
    const [audit] = await auth.rows<{ workspaceId: string; data: object }>(
      `SELECT workspace_id, data FROM platform.outbox WHERE data->>'action' = 'workspace.created'`,
    )
    expect(audit?.workspaceId).toBe(response.data.workspace_id)
    expect(audit?.data).toMatchObject({ targets: [{ type: 'workspace', id: response.data.workspace_id }] })
  })

  it('finds unique slugs when requests with the same name are concurrent', async () => {
    const caller = { ...auth.owner, workspaceId: null }
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => request('POST', 'workspaces', { caller, body: { name: 'Twins' } })),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const slugs = responses.map(({ body }) => String(body.data.slug))
    expect(new Set(slugs).size).toBe(4)
    expect(slugs).toContain('twins')
  })

  it('rejects callers that are not users and requests not signed by the edge', async () => {
    const body = { name: 'No' }
    expect((await request('POST', 'workspaces', { body })).status).toBe(403)
    const caller = { ...auth.owner, workspaceId: null }
    expect((await request('POST', 'workspaces', { caller, body, signer: 'data' })).status).toBe(403)
    const deletedUser = subject('user', newId('usr'), auth.seeded.workspace_id, auth.context.shard)
    expect((await request('POST', 'workspaces', { caller: deletedUser, body })).body.code).not.toBe('internal_error')
    expect(await auth.rows(`SELECT FROM workspaces WHERE name = 'No'`)).toEqual([])
  })
})

describe('listing workspaces', () => {
  it('returns the memberships of a user in pages, newest first, without deleted workspaces', async () => {
    const { userId, workspaceId } = await auth.workspace('Oldest')
    const caller = { ...auth.owner, principal: { id: userId, type: 'user' as const }, workspaceId: null }
    const created = [workspaceId]
    for (const name of ['Middle', 'Newest', 'Deleted'])
      created.push((await request('POST', 'workspaces', { caller, body: { name } })).body.data.workspace_id)
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [created.pop()])
    const first = (await request('GET', 'workspaces?limit=2', { caller })).body
    const second = (await request('GET', `workspaces?limit=2&cursor=${first.pagination.next_cursor}`, { caller })).body
    const listed = [...first.data, ...second.data]
    expect(listed.map(({ workspace_id }) => workspace_id)).toEqual(created.toReversed())
    expect(listed.map(({ role }) => role)).toEqual(['owner', 'owner', 'owner'])
    expect(second.pagination.has_more).toBe(false)
  })

  it('returns the one workspace of a service principal or API key', async () => {
    const { workspace_id, key_id } = auth.seeded
    for (const caller of [auth.machine, subject('api_key', key_id, workspace_id, auth.context.shard)]) {
      const { body } = await request('GET', 'workspaces', { caller })
      expect(body.data.map((row: object) => row)).toEqual([expect.objectContaining({ workspace_id, role: null })])
    }
  })
})

describe('the workspace of the request', () => {
  it('is returned with the role of the caller', async () => {
    const { body } = await request('GET', 'workspace', { caller: auth.owner })
    expect(body.data).toMatchObject({
      workspace_id: auth.seeded.workspace_id,
      name: 'First',
      slug: 'first',
      role: 'owner',
    })
    expect((await request('GET', 'workspace')).body.data.role).toBeNull()
  })

  it('can be renamed, and its metadata merged and cleared', async () => {
    const { owner } = await auth.workspace('Before')
    const patch = async (body: object) => (await request('PATCH', 'workspace', { caller: owner, body })).body.data
    expect(await patch({ name: 'After', metadata: { a: '1' } })).toMatchObject({
      name: 'After',
      slug: 'before',
      metadata: { a: '1' },
    })
    expect(await patch({ metadata: { b: '2' } })).toMatchObject({ name: 'After', metadata: { a: '1', b: '2' } })
    expect((await patch({ metadata: { a: null } })).metadata).toEqual({ b: '2' })
    expect(await patch({ metadata: null })).toMatchObject({ metadata: {} })
  })

  it('is not found when it was deleted', async () => {
    const { owner, workspaceId } = await auth.workspace()
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [workspaceId])
    expect((await request('GET', 'workspace', { caller: owner })).status).toBe(404)
    expect((await request('PATCH', 'workspace', { caller: owner, body: { name: 'x' } })).status).toBe(404)
    expect((await auth.request('POST', '/v1/auth/api-key', { caller: owner })).status).toBe(404)
  })
})

describe('slug of a name', () => {
  it.each([
    ['Acme', 'acme'],
    ['  Acme -- Corp. ', 'acme-corp'],
    ['Ærø & Ålesund', 'r-alesund'],
    ['株式会社', 'workspace'],
    [`${'long '.repeat(30)}`, 'long-long-long-long-long-long-long-long-long-lon'],
  ])('of "%s" is "%s", with a random suffix for further candidates', (name, slug) => {
    const [plain, ...others] = slugCandidates(name)
    expect(plain).toBe(slug)
    for (const other of others) expect(other).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`))
  })
})
