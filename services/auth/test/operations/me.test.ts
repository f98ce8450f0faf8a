import { afterAll, describe, expect, it } from '@jest/globals'
import { scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { startTestAuth, subject } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const expiresAt = '2030-01-05T09:30:00.000Z'
const path = '/v1/auth/me'

describe('reading the own profile', () => {
  it('returns the profile of a service principal', async () => {
    const caller = { ...auth.machine, scopes: ['data:read' as const], credentialExpiresAt: expiresAt }
    const { status, body } = await auth.request('GET', path, { caller })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      principal_type: 'service_principal',
      client_id: auth.seeded.client_id,
      name: 'seed',
      environment: null,
      credential: {
        type: 'bearer',
        scopes: ['data:read'],
        workspace_id: auth.seeded.workspace_id,
        expires_at: expiresAt,
      },
    })
  })

  it('returns the profile of an API key', async () => {
    const { key_id, workspace_id } = auth.seeded
    const { body } = await auth.request('GET', path, {
      caller: subject('api_key', key_id, workspace_id, auth.context.shard),
    })
    expect(body.data).toEqual({
      principal_type: 'api_key',
      key_id,
      name: 'seed',
      credential: { type: 'api_key', scopes: [...scopes], workspace_id, expires_at: null },
    })
  })

  it('returns the profile and workspaces of a user, also without a workspace', async () => {
    const { owner, userId, workspaceId } = await auth.workspace('Mine')
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      auth.seeded.workspace_id,
      userId,
    ])
    const { body } = await auth.request('GET', path, { caller: { ...owner, workspaceId: null, scopes: [] } })
    expect(body.data).toEqual({
      principal_type: 'user',
      user_id: userId,
      email: `${userId}@example.test`,
      name: null,
      locale: null,
      timezone: null,
      avatar_url: null,
      workspaces: [
        { workspace_id: workspaceId, name: 'Mine', role: 'owner' },
        { workspace_id: auth.seeded.workspace_id, name: 'First', role: 'viewer' },
      ],
      credential: { type: 'bearer', scopes: [], workspace_id: null, expires_at: null },
    })
  })

  it('returns revoked_credential when the caller was deleted after identification', async () => {
    const { workspace_id } = auth.seeded
    for (const [type, id] of [
      ['user', newId('usr')],
      ['service_principal', newId('sp')],
      ['api_key', newId('akey')],
    ] as const) {
      const caller = subject(type, id, workspace_id, auth.context.shard)
      const { status, body } = await auth.request('GET', path, { caller })
      expect([type, status, body.code]).toEqual([type, 401, 'revoked_credential'])
    }
  })
})

describe('updating the own profile', () => {
  const patch = async (body: object, caller = auth.owner, headers = {}) =>
    await auth.request('PATCH', path, { caller, body, headers })

  it('merges fields and clears them with null, without a workspace', async () => {
    const { owner } = await auth.workspace()
    const withoutWorkspace = { ...owner, workspaceId: null }
    const full = { name: 'Ada', locale: 'de-AT', timezone: 'Europe/Vienna', avatar_url: 'https://example.test/a.png' }
    const first = await patch(full, withoutWorkspace)
    expect([first.status, first.body.data]).toEqual([200, expect.objectContaining(full)])
    const second = await patch({ locale: null }, withoutWorkspace)
    expect(second.body.data).toMatchObject({ ...full, locale: null })
    const read = await auth.request('GET', path, { caller: withoutWorkspace })
    expect(read.body.data).toEqual(second.body.data)
    // Events without a workspace are published too.
    const unpublished = () => auth.rows(`SELECT FROM platform.outbox WHERE published_at IS NULL`)
    const published = () =>
      auth.rows(`SELECT FROM platform.outbox WHERE workspace_id = '' AND published_at IS NOT NULL`)
    await eventually(async () => (await unpublished()).length === 0 && (await published()).length === 2)
  })

  it.each([
    [{ locale: 'no locale' }, '/locale'],
    [{ timezone: 'Europe/Atlantis' }, '/timezone'],
    [{ timezone: '+01:00' }, '/timezone'],
    [{ avatar_url: 'http://example.test/a.png' }, '/avatar_url'],
    [{ avatar_url: 'javascript:alert(1)' }, '/avatar_url'],
    [{ email: 'other@example.test' }, '/email'],
    [{ name: 'x'.repeat(201) }, '/name'],
  ])('rejects the body %j', async (body, pointer) => {
    const response = await patch(body)
    expect([response.status, response.body.errors[0].pointer]).toEqual([400, pointer])
  })

  it('rejects callers that are not users', async () => {
    const { status, body } = await patch({ name: 'x' }, auth.machine)
    expect([status, body.code]).toEqual([403, 'user_required'])
  })
})
