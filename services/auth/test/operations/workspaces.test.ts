import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { slugCandidates } from '../../src/workspaces/slug.ts'
import { startTestAuth, subject, type TestAuth } from '../fixture/auth.ts'

let auth: TestAuth

beforeAll(async () => {
  auth = await startTestAuth()
})
afterAll(() => auth.stop())

type Options = Parameters<TestAuth['request']>[2]

const ask = async (method: string, path: string, options: Options = {}) =>
  await auth.request(method, `/v1/system/${path}`, options)

describe('creating', () => {
  it('makes the caller the owner, at once for every edge', async () => {
    const heard: string[] = []
    auth.context.bus.subscribe('invalidate.identities', (data) => heard.push(JSON.stringify(data)))
    await eventually(() => {
      auth.context.bus.publish('invalidate.identities', { credential_id: 'probe' })
      return heard.length > 0
    })
    const caller = { ...auth.owner, workspaceId: null, scopes: [] }
    const body = { name: 'Café Übermut & Söhne', metadata: { plan: 'trial' } }
    const { status, body: answer } = await ask('POST', 'workspaces', { caller, body })
    expect(status).toBe(201)
    expect(answer.data).toEqual({
      workspace_id: expect.stringMatching(/^ws_/),
      name: 'Café Übermut & Söhne',
      slug: 'cafe-ubermut-sohne',
      shard: auth.context.shard,
      location: 'TST',
      role: 'owner',
      metadata: { plan: 'trial' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await eventually(() => heard.includes(JSON.stringify({ principal_id: auth.seeded.owner_user_id })))
    const [audit] = await auth.rows<{ workspace_id: string; data: object }>(
      `SELECT workspace_id, data FROM platform.outbox WHERE data->>'action' = 'workspace.created'`,
    )
    expect(audit?.workspace_id).toBe(answer.data.workspace_id)
    expect(audit?.data).toMatchObject({ targets: [{ type: 'workspace', id: answer.data.workspace_id }] })
  })

  it('finds a slug for every one of those that ask for the same name at once', async () => {
    const caller = { ...auth.owner, workspaceId: null }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask('POST', 'workspaces', { caller, body: { name: 'Twins' } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const slugs = answers.map(({ body }) => String(body.data.slug))
    expect(new Set(slugs).size).toBe(4)
    expect(slugs).toContain('twins')
  })

  it('creates one workspace for one idempotency key', async () => {
    const caller = { ...auth.owner, workspaceId: null }
    const options = { caller, body: { name: 'Only' }, headers: { 'idempotency-key': 'only' } }
    const [first, second] = [await ask('POST', 'workspaces', options), await ask('POST', 'workspaces', options)]
    expect(second.body).toEqual(first.body)
    expect(await auth.rows(`SELECT FROM workspaces WHERE name = 'Only'`)).toHaveLength(1)
  })

  it('is for users alone, and only through the edge', async () => {
    const body = { name: 'No' }
    expect((await ask('POST', 'workspaces', { body })).status).toBe(403)
    const caller = { ...auth.owner, workspaceId: null }
    expect((await ask('POST', 'workspaces', { caller, body, signer: 'data' })).status).toBe(403)
    const gone = subject('user', newId('usr'), auth.seeded.workspace_id, auth.context.shard)
    expect((await ask('POST', 'workspaces', { caller: gone, body })).body.code).not.toBe('internal_error')
    expect(await auth.rows(`SELECT FROM workspaces WHERE name = 'No'`)).toEqual([])
  })
})

describe('listing', () => {
  it('pages through a user’s memberships, newest first, without those that are deleted', async () => {
    const { userId, workspaceId } = await auth.workspace('Oldest')
    const caller = { ...auth.owner, principal: { id: userId, type: 'user' as const }, workspaceId: null }
    const made = [workspaceId]
    for (const name of ['Middle', 'Newest', 'Deleted'])
      made.push((await ask('POST', 'workspaces', { caller, body: { name } })).body.data.workspace_id)
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [made.pop()])
    const first = (await ask('GET', 'workspaces?limit=2', { caller })).body
    const second = (await ask('GET', `workspaces?limit=2&cursor=${first.pagination.next_cursor}`, { caller })).body
    const listed = [...first.data, ...second.data]
    expect(listed.map(({ workspace_id }) => workspace_id)).toEqual(made.toReversed())
    expect(listed.map(({ role }) => role)).toEqual(['owner', 'owner', 'owner'])
    expect(second.pagination.has_more).toBe(false)
  })

  it('answers machines and keys their one workspace', async () => {
    const { workspace_id, key_id } = auth.seeded
    for (const caller of [auth.machine, subject('api_key', key_id, workspace_id, auth.context.shard)]) {
      const { body } = await ask('GET', 'workspaces', { caller })
      expect(body.data.map((row: object) => row)).toEqual([expect.objectContaining({ workspace_id, role: null })])
    }
  })
})

describe('the workspace of the request', () => {
  it('is read with the caller’s role in it', async () => {
    const { body } = await ask('GET', 'workspace', { caller: auth.owner })
    expect(body.data).toMatchObject({
      workspace_id: auth.seeded.workspace_id,
      name: 'First',
      slug: 'first',
      role: 'owner',
    })
    expect((await ask('GET', 'workspace')).body.data.role).toBeNull()
  })

  it('is renamed; metadata is merged and cleared', async () => {
    const { owner } = await auth.workspace('Before')
    const patch = async (body: object) => (await ask('PATCH', 'workspace', { caller: owner, body })).body.data
    expect(await patch({ name: 'After', metadata: { a: '1' } })).toMatchObject({
      name: 'After',
      slug: 'before',
      metadata: { a: '1' },
    })
    expect(await patch({ metadata: { b: '2' } })).toMatchObject({ name: 'After', metadata: { a: '1', b: '2' } })
    expect((await patch({ metadata: { a: null } })).metadata).toEqual({ b: '2' })
    expect(await patch({ metadata: null })).toMatchObject({ metadata: {} })
  })

  it('is not there for the caller of one that was deleted', async () => {
    const { owner, workspaceId } = await auth.workspace()
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [workspaceId])
    expect((await ask('GET', 'workspace', { caller: owner })).status).toBe(404)
    expect((await ask('PATCH', 'workspace', { caller: owner, body: { name: 'x' } })).status).toBe(404)
    expect((await auth.request('POST', '/v1/auth/api-key', { caller: owner })).status).toBe(404)
  })
})

describe('a slug', () => {
  it.each([
    ['Acme', 'acme'],
    ['  Acme -- Corp. ', 'acme-corp'],
    ['Ærø & Ålesund', 'r-alesund'],
    ['株式会社', 'workspace'],
    [`${'long '.repeat(30)}`, 'long-long-long-long-long-long-long-long-long-lon'],
  ])('of "%s" is %s', (name, slug) => {
    const [plain, ...others] = slugCandidates(name)
    expect(plain).toBe(slug)
    for (const other of others) expect(other).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`))
  })
})
