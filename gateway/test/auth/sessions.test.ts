import { afterAll, describe, expect, it } from '@jest/globals'
import type { SessionTokens } from '@wp/contracts'
import { eventually, startTestFleet } from '@wp/testkit'
import pg from 'pg'

const fleet = await startTestFleet({ services: ['auth', 'system'] })
const pool = new pg.Pool({ connectionString: fleet.databases.get('auth')?.workerUrl, max: 2 })
afterAll(async () => {
  await pool.end()
  await fleet.stop()
})

const me = (as: string) => fleet.request('GET', '/v1/auth/me', { as })
const revoked = { status: 401, body: { code: 'revoked_credential' } }
const signIn = () => fleet.signIn(fleet.owner.ownerId)
const waitForRejection = (as: string) => eventually(async () => (await me(as)).status === 401)

/** Signs in and makes the edge cache the identity. */
async function signInCached(): Promise<SessionTokens> {
  const session = await signIn()
  expect((await me(session.access_token)).status).toBe(200)
  return session
}

describe('an ended session', () => {
  it('is rejected at the edge after logout, with both tokens', async () => {
    const { access_token, refresh_token } = await signInCached()
    const response = await fleet.request('POST', '/v1/auth/logout', { as: access_token })
    expect(response).toMatchObject({ status: 200, body: { data: { id: expect.stringMatching(/^ses_/), ended: true } } })
    await waitForRejection(access_token)
    expect(await me(access_token)).toMatchObject(revoked)
    const refresh = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token } })
    expect(refresh).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('is rejected at the edge when it was ended from another device', async () => {
    const [here, there] = [await signInCached(), await signInCached()]
    const list = await fleet.request('GET', '/v1/auth/sessions', { as: here.access_token })
    const mine = list.body.data.find(({ current }: { current: boolean }) => current)
    const [other] = list.body.data
    expect(mine).not.toBe(other)
    await fleet.request('DELETE', `/v1/auth/sessions/${mine.id}`, { as: there.access_token })
    await waitForRejection(here.access_token)
    expect((await me(there.access_token)).status).toBe(200)
  })

  it('is rejected at the edge when its refresh token was used twice', async () => {
    const { access_token, refresh_token } = await signInCached()
    const refresh = () => fleet.request('POST', '/v1/auth/token', { body: { refresh_token } })
    const next = (await refresh()).body.data
    expect((await me(next.access_token)).status).toBe(200)
    await pool.query(`UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds' WHERE used_at IS NOT NULL`)
    expect((await refresh()).body.error).toBe('invalid_grant')
    await Promise.all([access_token, next.access_token].map(waitForRejection))
  })

  it('is rejected without an invalidation when the identity is not cached', async () => {
    const { access_token } = await signIn()
    await pool.query('UPDATE sessions SET ended_at = now()')
    expect(await me(access_token)).toMatchObject(revoked)
  })
})

describe('a token of a service principal', () => {
  it('is revoked alone, by logout or by the service principal', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => fleet.token(fleet.owner)))
    for (const token of [first, second, third]) expect((await me(String(token))).status).toBe(200)
    const out = await fleet.request('POST', '/v1/auth/logout', { as: String(first) })
    expect(out.status).toBe(200)
    await waitForRejection(String(first))
    const { clientId, clientSecret } = fleet.owner
    const body = { token: second, client_id: clientId, client_secret: clientSecret }
    expect((await fleet.request('POST', '/v1/auth/revoke', { body })).status).toBe(200)
    await waitForRejection(String(second))
    expect((await me(String(third))).status).toBe(200)
    expect(await me(String(second))).toMatchObject(revoked)
  })
})

describe('a workspace with a new member', () => {
  it('is accessible to the member although no invalidation was published', async () => {
    const { access_token: as } = await signIn()
    const request = () =>
      fleet.request('GET', '/v1/system/workspace', { as, headers: { 'x-workspace-key': fleet.stranger.workspaceId } })
    expect((await request()).body.code).toBe('workspace_forbidden')
    await pool.query(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      fleet.stranger.workspaceId,
      fleet.owner.ownerId,
    ])
    // within a second, when a refetch is allowed again, and long before the cached identity expires
    await eventually(async () => (await request()).status === 200)
  })
})
