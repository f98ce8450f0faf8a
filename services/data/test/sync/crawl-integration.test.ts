import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'

let fleet: TestFleet
let server: Server
let base: string
/** What the server wants to be shown. */
let token = 'right'

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    if (headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end('{}')
    response.setHeader('content-type', 'application/json').end('[{"id":1},{"id":2}]')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server that listens on TCP has such an address
  fleet = await startTestFleet({
    services: ['auth', 'data', 'integrations'],
    env: { data: { ENVIRONMENT: 'development' } },
  })
}, 30_000)
afterAll(async () => {
  server.close()
  await fleet.stop()
})

async function request(method: string, path: string, body?: unknown) {
  const answer = await fleet.request(method, path, { as: fleet.owner.apiKey, body })
  if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

async function connected() {
  const { integration_id: integrationId } = await request('POST', '/v1/integrations/integrations', {
    ...{ provider: 'http', name: 'Rows', config: { base_url: base }, secrets: { token: 'right' } },
  })
  const { data_source_id: id } = await request('POST', '/v1/data/sources', {
    ...{ name: 'Rows', provider: 'http', integration_id: integrationId },
    config: { url: `${base}/rows.json`, key: 'id' },
  })
  return { id, path: `/v1/integrations/integrations/${integrationId}` }
}

const ended = (id: string) =>
  eventually(
    async () => {
      const sync = await request('GET', `/v1/data/syncs/${id}`)
      return sync.finished_at !== null && sync
    },
    { timeoutMs: 15_000 },
  )
const sync = async (id: string) => ended((await request('POST', `/v1/data/sources/${id}/sync/start`, {})).id)

it('reads through an integration, and says how that went', async () => {
  const { id, path } = await connected()
  expect(await sync(id)).toMatchObject({ status: 'finished', counts: { seen: 2, created: 2 } })
  await eventually(async () => (await request('GET', path)).status === 'connected')

  token = 'another'
  const refused = await sync(id)
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'auth', retryable: false } })
  const standing = await eventually(async () => {
    const found = await request('GET', path)
    return found.status === 'error' && found
  })
  expect(standing.last_error).toMatchObject({ code: 'unauthorized', message: refused.error.message })
  expect(await request('GET', `/v1/data/sources/${id}`)).toMatchObject({
    status: 'error',
    last_error: { code: 'auth' },
  })

  token = 'right'
  expect((await sync(id)).status).toBe('finished')
  await eventually(async () => (await request('GET', path)).status === 'connected')
  const used = await queryAsWorker(
    fleet.env('integrations'),
    `SELECT FROM platform.outbox WHERE data->>'action' = 'integration.secret_used'`,
  )
  expect(used).toHaveLength(3)
})

it('notes that what is not a matter of credentials did not work, and leaves the integration connected', async () => {
  const { id, path } = await connected()
  await sync(id)
  await request('PATCH', `/v1/data/sources/${id}`, {
    config: { format: 'csv', rows_path: '/nowhere', charset: 'utf-99' },
  })
  const failed = await sync(id)
  expect(failed).toMatchObject({ status: 'failed', error: { retryable: false } })
  const { status, last_error: error } = await eventually(async () => {
    const found = await request('GET', path)
    return found.last_error !== null && found
  })
  expect([status, error.message]).toEqual(['connected', failed.error.message])
})

it('fails with a clear word, once, where the integration is disconnected or gone', async () => {
  const { id, path } = await connected()
  await request('PATCH', path, { status: 'disconnected' })
  expect((await sync(id)).error).toEqual({
    ...{ code: 'auth', retryable: false },
    message: 'The integration the source is read through is disconnected',
  })
  await request('DELETE', `${path}?force=true`)
  expect((await sync(id)).error).toEqual({
    ...{ code: 'config', retryable: false },
    message: 'The integration the source is read through is no longer there',
  })
})

it('waits while integrations are away, and counts that as no attempt', async () => {
  const { id } = await connected()
  await fleet.member('integrations').stop()
  const started = await request('POST', `/v1/data/sources/${id}/sync/start`, {})
  const state = () =>
    queryAsWorker<{ state: string; failures: number }>(
      fleet.env('data'),
      `SELECT state, failures FROM platform.jobs WHERE id = $1 AND started_at IS NOT NULL AND state = 'queued'`,
      [started.id],
    )
  expect(await eventually(async () => (await state())[0])).toEqual({ state: 'queued', failures: 0 })
  await fleet.restart('integrations')
  expect(await ended(started.id)).toMatchObject({ status: 'finished', counts: { created: 2 } })
})
