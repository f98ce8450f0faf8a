import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createSealer, type RunningService, startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { openHeaders } from '../../src/subscriptions/custom-headers.ts'
import { openSecret } from '../../src/subscriptions/secrets.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
/** Told of the next key. */
let replica: RunningService | undefined
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(async () => {
  await replica?.stop()
  await harness.stop()
})

interface Row {
  webhook_id: string
  secret_sealed: string | null
  previous_secret_sealed: string | null
  headers: Record<string, string>
}

it('seals secrets and headers anew under the next key, so that the last one can be dropped', async () => {
  const [old, next] = [String(harness.service.env.KEK), randomBytes(32).toString('base64')]
  const endpoint = 'https://127.0.0.1:8443/'
  const headers = { 'X-One': 'first', 'X-Two': 'second' }
  const whole = await harness.subscribe({ endpoint, secret: 'shhh', headers, events: ['*'] })
  const bare = await harness.subscribe({ endpoint, headers: { 'X-One': 'alone' }, events: ['*'] })
  const nothing = await harness.subscribe({ endpoint, events: ['*'] })
  const rotated = await harness.call('POST', `/webhooks/${whole}/rotate-secret`, { overlap_seconds: 3600 })
  expect(rotated.status).toBe(200)
  const rowOf = async (id: string) => {
    const text =
      'SELECT webhook_id, secret_sealed, previous_secret_sealed, headers FROM subscriptions WHERE webhook_id = $1'
    const [row] = (await harness.sql.query<Row>(text, [id])).rows
    if (row === undefined) throw new Error(`${id} is not kept`)
    return row
  }

  const env = { ...harness.service.env, PORT: '0', KEK: next, KEK_PREVIOUS: old }
  replica = await startService(definition, env)
  const stale = async () => {
    const text = `SELECT FROM subscriptions s WHERE s::text LIKE '%' || $1 || '%'`
    return (await harness.sql.query(text, [createSealer(next, old).previousKeyPrefix])).rowCount
  }
  await eventually(async () => (await stale()) === 0)

  const sealer = createSealer(next)
  const row = await rowOf(whole)
  expect(openSecret(sealer, whole, String(row.previous_secret_sealed))).toBe('shhh')
  expect(openSecret(sealer, whole, String(row.secret_sealed))).toMatch(/^whsec_/)
  expect(openHeaders(sealer, whole, row.headers)).toEqual(headers)
  expect(openHeaders(sealer, bare, (await rowOf(bare)).headers)).toEqual({ 'X-One': 'alone' })
  expect(await rowOf(nothing)).toMatchObject({ secret_sealed: null, previous_secret_sealed: null, headers: {} })
})
