import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { presentApiKey, recordInvalidations, startTestAuth, subject } from '../fixture/auth.ts'
import { connectDirectory, patchSchema, scimErrorBody, userSchema } from '../fixture/directory.ts'
import { createPeopleFixture } from '../fixture/people.ts'

const auth = await startTestAuth()
const people = createPeopleFixture(auth)
const directory = await connectDirectory(auth)
afterAll(() => auth.stop())

const activity = (active: boolean) => ({ schemas: [patchSchema], Operations: [{ op: 'replace', value: { active } }] })
let names = 0
const newName = () => `person-${++names}@acme.test`

describe('deprovisioning a user', () => {
  it.each([
    ['deactivated', (id: string) => directory.send('PATCH', `/Users/${id}`, activity(false))],
    ['replaced', (id: string) => directory.send('PUT', `/Users/${id}`, { userName: newName(), active: false })],
    ['deleted', (id: string) => directory.send('DELETE', `/Users/${id}`)],
  ])('ends membership, keys, principals and client sessions when the user is %s', async (_, deprovision) => {
    const { id, userId } = await directory.createUser(newName())
    const { workspaceId } = directory
    await directory.asOwner('PATCH', `/v1/auth/admin/users/${userId}`, { role: 'admin' })
    const caller = subject('user', userId, workspaceId, auth.context.shard)
    const key = await auth.request('POST', '/v1/auth/api-key', { caller, body: { name: 'own' } })
    const principal = await auth.request('POST', '/v1/auth/admin/service-principals', {
      caller,
      body: { name: 'own', scopes: ['data:read'] },
    })
    const {
      session: { sessionId },
    } = await auth.signIn(userId)
    await auth.rows(
      `UPDATE sessions SET client_id = 'c', client_name = 'c', granted_workspace_id = $2 WHERE session_id = $1`,
      [sessionId, workspaceId],
    )
    const invalidations = await recordInvalidations(auth)

    expect([200, 204]).toContain((await deprovision(id)).status)

    expect(await people.currentScopes(userId, workspaceId)).toBeUndefined()
    expect(await auth.resolve(presentApiKey(key.body.data.api_key))).toEqual({ status: 'revoked' })
    const { client_id: clientId } = principal.body.data
    const token = { type: 'token', principal_id: clientId, principal_type: 'service_principal' } as const
    expect(await auth.resolve(token)).toEqual({ status: 'revoked' })
    const session = { type: 'token', principal_id: userId, principal_type: 'user', session_id: sessionId } as const
    expect(await auth.resolve(session)).toEqual({ status: 'revoked' })
    await eventually(() => invalidations.includes(JSON.stringify({ principal_id: userId })))
    expect(invalidations).toEqual(
      expect.arrayContaining([
        JSON.stringify({ credential_id: key.body.data.key_id }),
        JSON.stringify({ principal_id: clientId }),
      ]),
    )
    expect(await people.events(workspaceId, 'USER_REMOVED')).toContainEqual({ id: userId, status: 'removed' })
    const [audit] = (await people.audits(workspaceId, 'user.deprovisioned')).slice(-1)
    expect(audit).toMatchObject({
      actor: { id: directory.keyId, type: 'api_key' },
      targets: [{ type: 'user', id: userId }, { id: key.body.data.key_id }, { id: clientId }],
      changes: { role_before: 'admin' },
    })
  })

  it('keeps the sessions of a user who has another workspace, and ends those of one who has none', async () => {
    const [one, other] = [await directory.createUser(newName()), await directory.createUser(newName())]
    const elsewhere = await auth.workspace()
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      elsewhere.workspaceId,
      one.userId,
    ])
    const statusOf = async ({ userId }: { userId: string }) => {
      const {
        session: { sessionId },
      } = await auth.signIn(userId)
      return async () =>
        (await auth.resolve({ type: 'token', principal_id: userId, principal_type: 'user', session_id: sessionId }))
          .status
    }
    const statuses = [await statusOf(one), await statusOf(other)]
    for (const { id } of [one, other]) await directory.send('DELETE', `/Users/${id}`)
    expect(await Promise.all(statuses.map((status) => status()))).toEqual(['active', 'revoked'])
  })

  it('frees the seat, and refuses a user for whom there is none', async () => {
    const limited = await connectDirectory(auth)
    await auth.rows(`INSERT INTO platform.quota_limits (subject, quota, maximum) VALUES ($1, 'seats', 2)`, [
      limited.workspaceId,
    ])
    const { id } = await limited.createUser(newName())
    const refused = await limited.send('POST', '/Users', { schemas: [userSchema], userName: newName() })
    expect(refused).toMatchObject({ status: 403, body: scimErrorBody(403) })
    await limited.send('PATCH', `/Users/${id}`, activity(false))
    const { status } = await limited.send('POST', '/Users', { schemas: [userSchema], userName: newName() })
    expect(status).toBe(201)
    expect((await limited.send('PATCH', `/Users/${id}`, activity(true))).status).toBe(403)
  })

  it('refuses an owner by name and changes nothing', async () => {
    const { body } = await directory.send('POST', '/Users', { userName: `${directory.ownerId}@example.test` })
    expect(await directory.roleOf(directory.ownerId)).toBe('owner')
    for (const refused of [
      await directory.send('PATCH', `/Users/${body.id}`, activity(false)),
      await directory.send('DELETE', `/Users/${body.id}`),
      await directory.send('PUT', `/Users/${body.id}`, { userName: 'another@acme.test', active: 'False' }),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: scimErrorBody(403) })
      expect(refused.body).toMatchObject({ code: 'owner_required', detail: expect.stringContaining(directory.ownerId) })
    }
    expect(await directory.roleOf(directory.ownerId)).toBe('owner')
    expect((await directory.send('GET', `/Users/${body.id}`)).body).toMatchObject({ active: true })
  })

  it('keeps the token of the directory when its creator leaves the directory, and deletes it on request', async () => {
    const connected = await connectDirectory(auth)
    const { id, userId } = await connected.createUser(newName())
    await connected.asOwner('PATCH', `/v1/auth/admin/users/${userId}`, { role: 'admin' })
    const caller = subject('user', userId, connected.workspaceId, auth.context.shard)
    const created = await auth.request('POST', '/v1/auth/scim-tokens', { caller, body: {} })
    const { key_id: keyId, token } = created.body.data
    await connected.send('DELETE', `/Users/${id}`)
    const resolved = await auth.resolve(presentApiKey(token))
    expect(resolved).toMatchObject({ status: 'active', identity: { grants: [{ scopes: ['auth:provision'] }] } })
    const listed = await connected.asOwner('GET', '/v1/auth/scim-tokens')
    expect(listed.body.data.map((each: { key_id: string }) => each.key_id)).toEqual([keyId, connected.keyId])
    expect(JSON.stringify(listed.body)).not.toContain(token)
    expect((await connected.asOwner('DELETE', `/v1/auth/scim-tokens/${keyId}`)).status).toBe(200)
    expect(await auth.resolve(presentApiKey(token))).toEqual({ status: 'revoked' })
    const other = await connected.asOwner('POST', '/v1/auth/api-key', {})
    expect((await connected.asOwner('DELETE', `/v1/auth/scim-tokens/${other.body.data.key_id}`)).status).toBe(404)
  })
})
