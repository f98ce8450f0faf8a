import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createSealer, type RunningService, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { openAuthentication } from '../../src/authentication/authentication.ts'
import { definition } from '../../src/index.ts'
import { openHeaders } from '../../src/subscriptions/custom-headers.ts'
import { openSecret } from '../../src/subscriptions/secrets.ts'
import { startHarness } from '../fixture/harness.ts'

/** Configured with the next key. */
let replica: RunningService | undefined
const harness = await startHarness()
afterAll(async () => {
  await replica?.stop()
  await harness.stop()
})

interface Row {
  webhook_id: string
  secret_sealed: string | null
  previous_secret_sealed: string | null
  headers: Record<string, string>
  authentication_sealed: string | null
}

describe('encryption key rotation', () => {
  it('re-encrypts secrets, headers and authentication under the next key, so that the previous key can be removed', async () => {
    const [old, next] = [String(harness.service.env.KEK), randomBytes(32).toString('base64')]
    const endpoint = 'https://127.0.0.1:8443/'
    const headers = { 'X-One': 'first', 'X-Two': 'second' }
    const withSecret = await harness.subscribe({ endpoint, secret: 'shhh', headers, events: ['*'] })
    const withHeaders = await harness.subscribe({ endpoint, headers: { 'X-One': 'alone' }, events: ['*'] })
    const authentication = { type: 'basic', username: 'ada', password: 'hidden' }
    const withAuthentication = await harness.subscribe({ endpoint, authentication, events: ['*'] })
    const empty = await harness.subscribe({ endpoint, events: ['*'] })
    const rotated = await harness.call('POST', `/webhooks/${withSecret}/rotate-secret`, { overlap_seconds: 3600 })
    expect(rotated.status).toBe(200)
    const readRow = async (id: string) => {
      const text = `SELECT webhook_id, secret_sealed, previous_secret_sealed, headers, authentication_sealed
        FROM subscriptions WHERE webhook_id = $1`
      const [row] = (await harness.sql.query<Row>(text, [id])).rows
      if (row === undefined) throw new Error(`there is no row ${id}`)
      return row
    }

    const env = { ...harness.service.env, PORT: '0', KEK: next, KEK_PREVIOUS: old }
    replica = await startService(definition, env)
    const countStale = async () => {
      const text = `SELECT FROM subscriptions s WHERE s::text LIKE '%' || $1 || '%'`
      return (await harness.sql.query(text, [createSealer(next, old).previousKeyPrefix])).rowCount
    }
    await eventually(async () => (await countStale()) === 0)

    const sealer = createSealer(next)
    const row = await readRow(withSecret)
    expect(openSecret(sealer, withSecret, String(row.previous_secret_sealed))).toBe('shhh')
    expect(openSecret(sealer, withSecret, String(row.secret_sealed))).toMatch(/^whsec_/)
    expect(openHeaders(sealer, withSecret, row.headers)).toEqual(headers)
    expect(openHeaders(sealer, withHeaders, (await readRow(withHeaders)).headers)).toEqual({ 'X-One': 'alone' })
    const sealed = String((await readRow(withAuthentication)).authentication_sealed)
    expect(openAuthentication(sealer, withAuthentication, sealed)).toEqual(authentication)
    expect(await readRow(empty)).toMatchObject({ secret_sealed: null, previous_secret_sealed: null, headers: {} })
  })
})
