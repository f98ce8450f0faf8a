import { afterAll, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'system', 'notifications'] })
const owner = await fleet.token(fleet.owner)
afterAll(() => fleet.stop())

const path = '/v1/notifications/events/stream'

async function newKey(): Promise<{ key_id: string; api_key: string }> {
  const { status, body } = await fleet.request('POST', '/v1/auth/api-key', { as: owner })
  if (status !== 201) throw new Error(`no key: ${JSON.stringify(body)}`)
  return body.data
}

/** Opens the stream, and reads it until it ends. */
async function openStream(apiKey: string): Promise<{ status: number; text: Promise<string>; close(): void }> {
  const controller = new AbortController()
  const response = await fetch(fleet.baseUrl + path, {
    headers: { 'x-api-key': apiKey, accept: 'text/event-stream' },
    signal: controller.signal,
  })
  return { status: response.status, text: response.text().catch(() => 'closed'), close: () => controller.abort() }
}

it('an event stream ends when its credential is revoked, and those of other credentials go on', async () => {
  const [revoked, kept] = [await newKey(), await newKey()]
  const [ending, staying] = [await openStream(revoked.api_key), await openStream(kept.api_key)]
  expect([ending.status, staying.status]).toEqual([200, 200])
  await fleet.request('DELETE', `/v1/auth/api-key/${revoked.key_id}`, { as: owner })
  expect(await ending.text).toMatch(/retry: 1000\n\n$/)
  expect((await openStream(revoked.api_key)).status).toBe(401)
  staying.close()
  expect(await staying.text).toBe('closed')
})
