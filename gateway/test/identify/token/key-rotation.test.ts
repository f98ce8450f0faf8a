import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'

let fleet: TestFleet
let pool: pg.Pool
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth'] })
  pool = new pg.Pool({ connectionString: fleet.databases.get('auth')?.workerUrl, max: 1 })
}, 60_000)
afterAll(async () => {
  await pool.end()
  await fleet.stop()
})

const published = async (): Promise<string[]> =>
  (await fleet.request('GET', '/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
const status = async (as: string) => (await fleet.request('GET', '/v1/auth/me', { as })).status
const signer = (token: string) => String(decodeProtectedHeader(token).kid)

/** Lets time pass for the keys; a service that starts looks at them. */
async function after(change: string): Promise<void> {
  await pool.query(`UPDATE signing_keys SET ${change}`)
  await fleet.member('auth').stop()
  await fleet.restart('auth')
}

it('rotates signing keys under the edge: the next is published ahead, and what the last signed lives on', async () => {
  const old = await fleet.token(fleet.owner)
  const session = await fleet.signIn(fleet.owner.ownerId)
  expect([await status(old), await status(session.access_token)]).toEqual([200, 200])
  const [first] = await published()

  await after(`active_from = active_from - interval '31 days'`)
  const keys = await published()
  expect(keys).toHaveLength(2)
  expect(keys).toContain(first)
  const between = await fleet.token(fleet.owner)
  expect(signer(between)).toBe(first)

  await after(`active_from = least(active_from, now())`)
  const fresh = await fleet.token(fleet.owner)
  expect(signer(fresh)).toBe(keys.find((kid) => kid !== first))
  // the ten minutes it was published ahead were skipped; an edge asks for keys it does not know once a second
  await eventually(async () => (await status(fresh)) === 200)
  for (const token of [between, old, session.access_token]) expect(await status(token)).toBe(200)
  const refreshed = await fleet.request('POST', '/v1/auth/token', { body: { refresh_token: session.refresh_token } })
  expect([refreshed.status, signer(refreshed.body.data.access_token)]).toEqual([200, signer(fresh)])

  // once nothing it signed is alive it is gone, and with it whatever it would sign
  await after(`expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE now() END`)
  expect(await published()).toEqual([signer(fresh)])
  expect(await status(fresh)).toBe(200)
})
