import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles, type Identity, type PresentedCredential, type Resolution, scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import { presentApiKey, startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

type Token = Extract<PresentedCredential, { type: 'token' }>

const userToken = (principal_id: string, more: Partial<Token> = {}): Token => ({
  type: 'token',
  principal_id,
  principal_type: 'user',
  ...more,
})

/** Starts a session and returns its token as the edge presents it. */
const signedIn = async (userId: string): Promise<Token> =>
  userToken(userId, { session_id: (await auth.signIn(userId)).session.sessionId })

const machineToken = (principal_id: string): PresentedCredential => ({
  ...userToken(principal_id),
  principal_type: 'service_principal',
})

const storedCaller = (
  principal_type: Extract<PresentedCredential, { type: 'caller' }>['principal_type'],
  principal_id: string,
  workspace_id: string,
): PresentedCredential => ({ type: 'caller', principal_type, principal_id, credential_id: 'stored', workspace_id })

function identityOf(resolution: Resolution): Identity {
  if (resolution.status !== 'active') throw new Error(`expected an active credential, not ${resolution.status}`)
  return resolution.identity
}

const apiKey = () => String(auth.seeded.api_key)
const limits = { workspace_per_minute: 3000 }

describe('resolving an API key', () => {
  it('returns its identity', async () => {
    const { key_id, workspace_id } = auth.seeded
    expect(await auth.resolve(presentApiKey(apiKey()))).toEqual({
      status: 'active',
      identity: {
        principal: { id: key_id, type: 'api_key' },
        credential_id: key_id,
        credential_type: 'api_key',
        workspace_id,
        grants: [{ workspace_id, shard: auth.context.shard, location: 'TST', scopes: [...scopes], limits }],
        limits: { credential_per_minute: 600 },
        expires_at: null,
        tokens_valid_after: null,
      },
    })
  })

  it.each([
    [{ hash: '0'.repeat(64) }],
    [{ shard: 'elsewhere' }],
    [{ location: 'XX' }],
    [{ workspace_id: 'ws_01h455vb4pex5vsknk084sn02q' }],
  ])('returns unknown with %j', async (wrong) => {
    expect(await auth.resolve({ ...presentApiKey(apiKey()), ...wrong })).toEqual({ status: 'unknown' })
  })

  it('returns expired when the key has expired', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const created = await auth.request('POST', '/v1/auth/api-key', { body: { expires_at } })
    const presented = presentApiKey(created.body.data.api_key)
    expect(identityOf(await auth.resolve(presented)).expires_at).toBe(expires_at)
    await auth.rows('UPDATE api_keys SET expires_at = now() WHERE key_id = $1', [created.body.data.key_id])
    expect(await auth.resolve(presented)).toEqual({ status: 'expired' })
  })

  it('returns revoked when the workspace is deleted', async () => {
    const { owner, workspaceId } = await auth.workspace()
    const created = await auth.request('POST', '/v1/auth/api-key', { caller: owner })
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [workspaceId])
    expect(await auth.resolve(presentApiKey(created.body.data.api_key))).toEqual({ status: 'revoked' })
  })

  it('returns the limits of the workspace', async () => {
    const { owner, workspaceId } = await auth.workspace()
    const created = await auth.request('POST', '/v1/auth/api-key', { caller: owner })
    await auth.rows(
      'UPDATE workspaces SET credential_per_minute = 7, workspace_per_minute = 70 WHERE workspace_id = $1',
      [workspaceId],
    )
    const identity = identityOf(await auth.resolve(presentApiKey(created.body.data.api_key)))
    expect([identity.limits, identity.grants[0]?.limits]).toEqual([
      { credential_per_minute: 7 },
      { workspace_per_minute: 70 },
    ])
  })
})

describe('resolving the token of a service principal', () => {
  it('returns the identity of the service principal', async () => {
    const { client_id, workspace_id } = auth.seeded
    const identity = identityOf(await auth.resolve(machineToken(client_id)))
    expect(identity).toMatchObject({
      principal: { id: client_id, type: 'service_principal' },
      credential_id: client_id,
      credential_type: 'bearer',
      workspace_id,
      grants: [{ workspace_id, scopes: [...scopes] }],
      expires_at: null,
    })
  })

  it('returns unknown when the service principal does not exist', async () => {
    expect(await auth.resolve(machineToken('sp_01h455vb4pex5vsknk084sn02q'))).toEqual({ status: 'unknown' })
  })

  it('omits scopes that are no longer in the catalog', async () => {
    const created = await auth.request('POST', '/v1/auth/admin/service-principals', {
      body: { name: 'old', scopes: ['data:read'] },
    })
    const { client_id } = created.body.data
    await auth.rows(`UPDATE service_principals SET scopes = scopes || '{data:gone}' WHERE client_id = $1`, [client_id])
    expect(identityOf(await auth.resolve(machineToken(client_id))).grants[0]?.scopes).toEqual(['data:read'])
  })
})

describe('resolving the token of a user', () => {
  it('grants all memberships with built-in and custom roles', async () => {
    const { workspaceId, userId } = await auth.workspace()
    const guest = await auth.workspace('Third')
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      auth.seeded.workspace_id,
      userId,
    ])
    const roleId = newId('role')
    await auth.rows(
      `INSERT INTO roles (role_id, workspace_id, name, scopes) VALUES ($1, $2, 'syncer', '{data:read,data:write}')`,
      [roleId, guest.workspaceId],
    )
    await auth.rows('INSERT INTO memberships (workspace_id, user_id, role_id) VALUES ($1, $2, $3)', [
      guest.workspaceId,
      userId,
      roleId,
    ])
    const presented = await signedIn(userId)
    const identity = identityOf(await auth.resolve(presented))
    expect([identity.credential_id, identity.workspace_id]).toEqual([presented.session_id, null])
    expect(identity.grants.map(({ workspace_id, scopes }) => [workspace_id, scopes])).toEqual([
      [workspaceId, builtInRoles.owner],
      [auth.seeded.workspace_id, builtInRoles.viewer],
      [guest.workspaceId, ['data:read', 'data:write']],
    ])
  })

  it('omits deleted workspaces and former memberships', async () => {
    const { workspaceId, userId } = await auth.workspace()
    await auth.rows('UPDATE workspaces SET deleted_at = now() WHERE workspace_id = $1', [workspaceId])
    const presented = await signedIn(userId)
    expect(identityOf(await auth.resolve(presented)).grants).toEqual([])
    await auth.rows('DELETE FROM memberships WHERE user_id = $1', [userId])
    const { grants, limits } = identityOf(await auth.resolve(presented))
    expect([grants, limits]).toEqual([[], { credential_per_minute: 600 }])
  })

  it('returns revoked when the user is disabled', async () => {
    const { userId } = await auth.workspace()
    const presented = await signedIn(userId)
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await auth.resolve(presented)).toEqual({ status: 'revoked' })
  })

  it('returns revoked when the session has ended or expired', async () => {
    const { userId } = await auth.workspace()
    const presented = await signedIn(userId)
    const at = 'WHERE session_id = $1'
    const [row] = await auth.rows<{ at: Date }>(`SELECT expires_at AS at FROM sessions ${at}`, [presented.session_id])
    expect(identityOf(await auth.resolve(presented)).expires_at).toBe(row?.at.toISOString())
    await auth.rows(`UPDATE sessions SET expires_at = now() ${at}`, [presented.session_id])
    expect(await auth.resolve(presented)).toEqual({ status: 'revoked' })
    const other = await signedIn(userId)
    await auth.rows(`UPDATE sessions SET ended_at = now() ${at}`, [other.session_id])
    expect(await auth.resolve(other)).toEqual({ status: 'revoked' })
  })

  it('rejects a session of another user and an unknown or missing session', async () => {
    const { userId } = await auth.workspace()
    const { session_id } = await signedIn(auth.seeded.owner_user_id)
    expect(await auth.resolve(userToken(userId, { session_id: String(session_id) }))).toEqual({ status: 'unknown' })
    expect(await auth.resolve(userToken(userId, { session_id: newId('ses') }))).toEqual({ status: 'revoked' })
    expect(await auth.resolve(userToken(userId))).toEqual({ status: 'revoked' })
  })
})

describe('resolving a stored caller', () => {
  it('returns the current permissions in the workspace of the job', async () => {
    const { owner_user_id, client_id, key_id, workspace_id } = auth.seeded
    for (const [type, id] of [
      ['user', owner_user_id],
      ['service_principal', client_id],
      ['api_key', key_id],
    ] as const) {
      const identity = identityOf(await auth.resolve(storedCaller(type, id, workspace_id)))
      expect([identity.principal, identity.grants.map((grant) => grant.workspace_id)]).toEqual([
        { id, type },
        [workspace_id],
      ])
    }
  })

  it('returns no identity in another workspace', async () => {
    const { owner_user_id, client_id, key_id } = auth.seeded
    const { workspaceId } = await auth.workspace()
    expect(await auth.resolve(storedCaller('service_principal', client_id, workspaceId))).toEqual({ status: 'unknown' })
    expect(await auth.resolve(storedCaller('api_key', key_id, workspaceId))).toEqual({ status: 'unknown' })
    expect(await auth.resolve(storedCaller('user', owner_user_id, workspaceId))).toEqual({ status: 'revoked' })
  })

  it('returns revoked when the API key, service principal or user is', async () => {
    const { workspaceId, userId, owner } = await auth.workspace()
    const key = await auth.request('POST', '/v1/auth/api-key', { caller: owner })
    const { key_id } = key.body.data
    await auth.request('DELETE', `/v1/auth/api-key/${key_id}`, { caller: owner })
    expect(await auth.resolve(storedCaller('api_key', key_id, workspaceId))).toEqual({ status: 'revoked' })
    const body = { name: 'x', scopes: ['data:read'] }
    const created = await auth.request('POST', '/v1/auth/admin/service-principals', { caller: owner, body })
    const { client_id } = created.body.data
    const at = `/v1/auth/admin/service-principals/${client_id}`
    await auth.request('PATCH', at, { caller: owner, body: { status: 'disabled' } })
    expect(await auth.resolve(storedCaller('service_principal', client_id, workspaceId))).toEqual({ status: 'revoked' })
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await auth.resolve(storedCaller('user', userId, workspaceId))).toEqual({ status: 'revoked' })
  })

  it('returns revoked when the session of an application has ended, and for a user in person it does not matter', async () => {
    const { workspaceId, userId } = await auth.workspace()
    const { session_id: credential_id } = await signedIn(userId)
    const inPerson = { ...storedCaller('user', userId, workspaceId), credential_id: String(credential_id) }
    const byApplication = { ...inPerson, client_id: 'https://app.example/client.json' }
    const statuses = async () => [(await auth.resolve(inPerson)).status, (await auth.resolve(byApplication)).status]
    expect(await statuses()).toEqual(['active', 'active'])
    // A session of another user proves nothing.
    const other = { ...byApplication, credential_id: String((await signedIn(auth.seeded.owner_user_id)).session_id) }
    expect((await auth.resolve(other)).status).toBe('revoked')
    await auth.rows('UPDATE sessions SET ended_at = now() WHERE session_id = $1', [credential_id])
    expect(await statuses()).toEqual(['active', 'revoked'])
  })

  it('returns unknown when the principal does not exist or is a service', async () => {
    const { workspace_id } = auth.seeded
    expect(await auth.resolve(storedCaller('service', 'svc:data', workspace_id))).toEqual({ status: 'unknown' })
    expect(await auth.resolve(storedCaller('user', newId('usr'), workspace_id))).toEqual({ status: 'unknown' })
    expect(await auth.resolve(storedCaller('api_key', newId('akey'), workspace_id))).toEqual({ status: 'unknown' })
  })
})

describe('resolving a batch', () => {
  const many = (items: unknown[]) =>
    auth.request('POST', '/internal/auth/resolve-many', {
      caller: { ...auth.machine, workspaceId: null, principal: { id: 'svc:gateway', type: 'service' } },
      body: { items },
    })

  it('returns the same resolutions as single requests, in order', async () => {
    const { owner_user_id, client_id, key_id, workspace_id } = auth.seeded
    const presented = [
      machineToken(client_id),
      presentApiKey(apiKey()),
      await signedIn(owner_user_id),
      { ...presentApiKey(apiKey()), hash: '0'.repeat(64) },
      storedCaller('api_key', key_id, workspace_id),
      storedCaller('service', 'svc:data', workspace_id),
      machineToken(client_id),
      userToken(owner_user_id),
      storedCaller('user', owner_user_id, workspace_id),
      storedCaller('service_principal', client_id, 'ws_01h455vb4pex5vsknk084sn02q'),
      await signedIn((await auth.workspace()).userId),
    ]
    const single = await Promise.all(presented.map((one) => auth.resolve(one)))
    expect(new Set(single.map(({ status }) => status))).toEqual(new Set(['active', 'unknown', 'revoked']))
    const response = await many(presented)
    expect(response.body.data).toEqual({ resolutions: single })
  })

  it('accepts 1 to 100 items', async () => {
    const machine = machineToken(auth.seeded.client_id)
    const response = await many(Array.from({ length: 100 }, () => machine))
    expect(response.body.data.resolutions).toHaveLength(100)
    expect((await many(Array.from({ length: 101 }, () => machine))).status).toBe(400)
    expect((await many([])).status).toBe(400)
  })
})

describe('callers of resolve', () => {
  const presented = () => presentApiKey(apiKey())
  const system = (name: string) => ({
    ...auth.machine,
    workspaceId: null,
    principal: { id: name, type: 'service' as const },
  })

  it('include the edge and the services that run jobs, as themselves', async () => {
    for (const signer of ['gateway', 'data', 'solutions', 'webhook-delivery'] as const) {
      const options = { signer, caller: system(`svc:${signer}`), body: presented() }
      expect((await auth.request('POST', '/internal/auth/resolve', options)).status).toBe(200)
    }
  })

  it('exclude other services, foreign identities and unsigned requests', async () => {
    for (const options of [
      { signer: 'system' as const, caller: system('svc:system') },
      { signer: 'data' as const, caller: system('svc:gateway') },
      { signer: null },
    ]) {
      const response = await auth.request('POST', '/internal/auth/resolve', { ...options, body: presented() })
      expect(response.status).toBe(options.signer === null ? 401 : 403)
    }
  })
})
