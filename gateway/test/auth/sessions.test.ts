import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { SessionTokens } from '@wp/contracts'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import pg from 'pg'

let fleet: TestFleet
let pool: pg.Pool
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'system'] })
  pool = new pg.Pool({ connectionString: fleet.databases.get('auth')?.workerUrl, max: 2 })
}, 60_000)
afterAll(async () => {
  await pool.end()
  await fleet.stop()
})

const me = (as: string) => fleet.request('GET', '/v1/auth/me', { as })
const revoked = { status: 401, body: { code: 'revoked_credential' } }
const signIn = () => fleet.signIn(fleet.owner.ownerId)
const refusedSoon = (as: string) => eventually(async () => (await me(as)).status === 401, { timeoutMs: 1000 })

/** A token that the edge has seen and remembers. */
async function warm(): Promise<SessionTokens> {
  const session = await signIn()
  expect((await me(session.access_token)).status).toBe(200)
  return session
}

describe('the end of a session', () => {
  it('by logging out is heard at the edge: neither token is good any more', async () => {
    const { access_token, refresh_token } = await warm()
    const answer = await fleet.request('POST', '/v1/auth/logout', { as: access_token })
    expect(answer).toMatchObject({ status: 200, body: { data: { id: expect.stringMatching(/^ses_/), ended: true } } })
    await refusedSoon(access_token)
    expect(await me(access_token)).toMatchObject(revoked)
    const refresh = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token } })
    expect(refresh).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('from another device is heard at the edge', async () => {
    const [here, there] = [await warm(), await warm()]
    const list = await fleet.request('GET', '/v1/auth/sessions', { as: here.access_token })
    const mine = list.body.data.find(({ current }: { current: boolean }) => current)
    const [other] = list.body.data
    expect(mine).not.toBe(other)
    await fleet.request('DELETE', `/v1/auth/sessions/${mine.id}`, { as: there.access_token })
    await refusedSoon(here.access_token)
    expect((await me(there.access_token)).status).toBe(200)
  })

  it('by a refresh token that was used twice is heard at the edge', async () => {
    const { access_token, refresh_token } = await warm()
    const refresh = () => fleet.request('POST', '/v1/auth/token', { body: { refresh_token } })
    const next = (await refresh()).body.data
    expect((await me(next.access_token)).status).toBe(200)
    await pool.query(`UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds' WHERE used_at IS NOT NULL`)
    expect((await refresh()).body.error).toBe('invalid_grant')
    await Promise.all([access_token, next.access_token].map(refusedSoon))
  })

  it('is seen without being heard, as soon as the edge asks again', async () => {
    const { access_token } = await signIn()
    await pool.query('UPDATE sessions SET ended_at = now()')
    expect(await me(access_token)).toMatchObject(revoked)
  })
})

describe('a token of a machine', () => {
  it('is revoked alone, by logging out or by the machine itself', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => fleet.token(fleet.owner)))
    for (const token of [first, second, third]) expect((await me(String(token))).status).toBe(200)
    const out = await fleet.request('POST', '/v1/auth/logout', { as: String(first) })
    expect(out.status).toBe(200)
    await refusedSoon(String(first))
    const { clientId, clientSecret } = fleet.owner
    const body = { token: second, client_id: clientId, client_secret: clientSecret }
    expect((await fleet.request('POST', '/v1/auth/revoke', { body })).status).toBe(200)
    await refusedSoon(String(second))
    expect((await me(String(third))).status).toBe(200)
    expect(await me(String(second))).toMatchObject(revoked)
  })
})

describe('a workspace somebody has become a member of', () => {
  it('is theirs although the edge was not told', async () => {
    const { access_token: as } = await signIn()
    const ask = () =>
      fleet.request('GET', '/v1/system/workspace', { as, headers: { 'x-workspace-key': fleet.stranger.workspaceId } })
    expect((await ask()).body.code).toBe('workspace_forbidden')
    await pool.query(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      fleet.stranger.workspaceId,
      fleet.owner.ownerId,
    ])
    // within the second after which auth may be asked again, and long before what is remembered would end
    await eventually(async () => (await ask()).status === 200, { timeoutMs: 3000 })
  })
})
