import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'

const fleet = await startTestFleet({ services: ['auth'] })
const pool = new pg.Pool({ connectionString: fleet.databases.get('auth')?.workerUrl, max: 1 })
afterAll(async () => {
  await pool.end()
  await fleet.stop()
})

const publishedKeyIds = async (): Promise<string[]> =>
  (await fleet.request('GET', '/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
const statusOf = async (as: string) => (await fleet.request('GET', '/v1/auth/me', { as })).status
const keyIdOf = (token: string) => String(decodeProtectedHeader(token).kid)

/** Moves the times of the signing keys and restarts auth, which rotates keys when it starts. */
async function shiftKeyTimes(change: string): Promise<void> {
  await pool.query(`UPDATE signing_keys SET ${change}`)
  await fleet.member('auth').stop()
  await fleet.restart('auth')
}

describe('the edge', () => {
  it('accepts tokens of all published keys while signing keys are rotated', async () => {
    const old = await fleet.token(fleet.owner)
    const session = await fleet.signIn(fleet.owner.ownerId)
    expect([await statusOf(old), await statusOf(session.access_token)]).toEqual([200, 200])
    const [first] = await publishedKeyIds()

    await shiftKeyTimes(`active_from = active_from - interval '31 days'`)
    const keys = await publishedKeyIds()
    expect(keys).toHaveLength(2)
    expect(keys).toContain(first)
    const between = await fleet.token(fleet.owner)
    expect(keyIdOf(between)).toBe(first)

    await shiftKeyTimes(`active_from = least(active_from, now())`)
    const fresh = await fleet.token(fleet.owner)
    expect(keyIdOf(fresh)).toBe(keys.find((kid) => kid !== first))
    // the ten minutes of advance publication were skipped; an edge fetches unknown keys at most once a second
    await eventually(async () => (await statusOf(fresh)) === 200)
    for (const token of [between, old, session.access_token]) expect(await statusOf(token)).toBe(200)
    const refreshed = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token: session.refresh_token } })
    expect([refreshed.status, keyIdOf(refreshed.body.data.access_token)]).toEqual([200, keyIdOf(fresh)])

    // a key is removed when every token it signed has expired
    await shiftKeyTimes(`expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE now() END`)
    expect(await publishedKeyIds()).toEqual([keyIdOf(fresh)])
    expect(await statusOf(fresh)).toBe(200)
  })
})
