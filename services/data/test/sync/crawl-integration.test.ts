import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { queryAsWorker } from '../support/database.ts'

let fleet: TestFleet
let server: Server
let baseUrl: string
/** The token that the server accepts. */
let token = 'right'
/** The address to which it redirects. */
let movedTo: string | undefined

beforeAll(async () => {
  server = createServer(({ headers, url }, response) => {
    if (headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end('{}')
    if (url?.startsWith('/missing/')) return response.writeHead(404).end()
    if (movedTo !== undefined) return response.writeHead(302, { location: movedTo }).end()
    response.setHeader('content-type', 'application/json').end('[{"id":1},{"id":2}]')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server that listens on TCP has such an address
  fleet = await startTestFleet({
    services: ['auth', 'data', 'integrations'],
    env: { data: { ENVIRONMENT: 'development' } },
  })
})
afterAll(async () => {
  server.close()
  await fleet.stop()
})

async function request(method: string, path: string, body?: unknown) {
  const response = await fleet.request(method, path, { as: fleet.owner.apiKey, body })
  if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

async function createConnectedSource() {
  const { integration_id: integrationId } = await request('POST', '/v1/integrations/integrations', {
    provider: 'http',
    name: 'Rows',
    config: { base_url: baseUrl },
    secrets: { token },
  })
  const { data_source_id: id } = await request('POST', '/v1/data/sources', {
    name: 'Rows',
    provider: 'http',
    integration_id: integrationId,
    config: { url: `${baseUrl}/rows.json`, key: 'id' },
  })
  return { id, path: `/v1/integrations/integrations/${integrationId}` }
}

const waitForEnd = (id: string) =>
  eventually(async () => {
    const sync = await request('GET', `/v1/data/syncs/${id}`)
    return sync.finished_at !== null && sync
  })
const runSync = async (id: string) => waitForEnd((await request('POST', `/v1/data/sources/${id}/sync/start`, {})).id)

it('uses the credentials of its integration and reports the outcome', async () => {
  const { id, path } = await createConnectedSource()
  expect(await runSync(id)).toMatchObject({ status: 'finished', counts: { seen: 2, created: 2 } })
  await eventually(async () => (await request('GET', path)).status === 'connected')

  token = 'another'
  const refused = await runSync(id)
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'auth', retryable: false } })
  const integration = await eventually(async () => {
    const found = await request('GET', path)
    return found.status === 'error' && found
  })
  expect(integration.last_error).toMatchObject({ code: 'unauthorized', message: refused.error.message })
  expect(await request('GET', `/v1/data/sources/${id}`)).toMatchObject({
    status: 'error',
    last_error: { code: 'auth' },
  })

  token = 'right'
  expect((await runSync(id)).status).toBe('finished')
  await eventually(async () => (await request('GET', path)).status === 'connected')
  const used = await queryAsWorker(
    fleet.env('integrations'),
    `SELECT FROM platform.outbox WHERE data->>'action' = 'integration.secret_used'`,
  )
  expect(used).toHaveLength(3)
})

it('masks secrets in its errors when the server repeats them', async () => {
  token = 'a-secret-token-of-forty-characters-01234'
  const { id } = await createConnectedSource()
  await request('PATCH', `/v1/data/sources/${id}`, {
    config: { url: `${baseUrl}/rows?api_key=query-secret-99&sort_key=missing/&assignee=Margaret` },
  })
  const leaks: string[] = []
  for (const path of [token, encodeURIComponent(`Bearer ${token}`), token.slice(3), btoa(token), 'query-secret-99']) {
    movedTo = `/missing/${path}`
    const { message } = (await runSync(id)).error
    if (
      !message.includes('/missing/') ||
      !message.includes('[secret]') ||
      /secret-token-of-forty|query-secret/.test(message)
    )
      leaks.push(message)
  }
  movedTo = undefined
  token = 'right'
  expect(leaks).toEqual([])
})

it('reports an error that is not about credentials and leaves the integration connected', async () => {
  const { id, path } = await createConnectedSource()
  await runSync(id)
  await request('PATCH', `/v1/data/sources/${id}`, {
    config: { format: 'csv', rows_path: '/nowhere', charset: 'utf-99' },
  })
  const failed = await runSync(id)
  expect(failed).toMatchObject({ status: 'failed', error: { retryable: false } })
  const { status, last_error: error } = await eventually(async () => {
    const found = await request('GET', path)
    return found.last_error !== null && found
  })
  expect([status, error.message]).toEqual(['connected', failed.error.message])
})

it('fails without a retry when the integration is disconnected or deleted', async () => {
  const { id, path } = await createConnectedSource()
  await request('PATCH', path, { status: 'disconnected' })
  expect((await runSync(id)).error).toEqual({
    code: 'auth',
    retryable: false,
    message: 'The integration of the data source is disconnected',
  })
  await request('DELETE', `${path}?force=true`)
  expect((await runSync(id)).error).toEqual({
    code: 'config',
    retryable: false,
    message: 'The integration of the data source no longer exists',
  })
})

it('waits, without counting an attempt, while the integrations service is unavailable', async () => {
  const { id } = await createConnectedSource()
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
  expect(await waitForEnd(started.id)).toMatchObject({ status: 'finished', counts: { created: 2 } })
})
