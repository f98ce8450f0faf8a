import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ApiError, JobFailedError, paginate, ValidationFailedError, waitFor } from '../src/index.ts'
import { type FakePlatform, problem, startFakePlatform, success } from './fixture/fake-platform.ts'

const workspace = '/v1/system/workspace'
const variables = '/v1/system/workspace/variables'
const sources = '/v1/data/sources'

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
})
afterEach(() => platform.stop())

const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  )

describe('a request', () => {
  it('has the method and path of the contract, API key, workspace, JSON body and headers of the call', async () => {
    platform.reply(variables, { ...success({ name: 'A', value: 'x' }), status: 201 })
    const client = platform.client({ workspaceId: 'ws_1', baseUrl: `${platform.baseUrl}/` })
    await client.system.putVariable({ body: { name: 'A', value: 'x' } }, { headers: { 'x-request-id': 'my-request' } })
    expect(platform.requests).toMatchObject([
      {
        method: 'POST',
        path: variables,
        headers: {
          'x-api-key': 'key_test',
          'x-workspace-key': 'ws_1',
          'content-type': 'application/json',
          'x-request-id': 'my-request',
        },
        body: '{"name":"A","value":"x"}',
      },
    ])
  })

  it('escapes path parameters and leaves out undefined query parameters', async () => {
    platform.reply(`${variables}/A%2FB%3F`, success({ name: 'A/B?' }))
    await platform.client().system.getVariable({ params: { name: 'A/B?' } })
    platform.reply(`${variables}?limit=5&secret=true`, { body: { success: true, data: [], pagination: {} } })
    await platform.client().system.listVariables({ query: { limit: 5, secret: 'true', cursor: undefined } })
    expect(platform.requests.map(({ path }) => path)).toEqual([
      `${variables}/A%2FB%3F`,
      `${variables}?limit=5&secret=true`,
    ])
  })

  it('is not sent when a path parameter is missing or leads to another path', async () => {
    const client = platform.client()
    for (const name of ['', '.', '..'])
      await expect(client.system.deleteVariable({ params: { name } })).rejects.toThrow('path parameter name')
    expect(platform.requests).toEqual([])
  })

  it('has no body when the call has no input', async () => {
    platform.reply(workspace, success({ workspace_id: 'ws_1' }))
    await platform.client().system.getWorkspace()
    expect(platform.requests).toMatchObject([{ method: 'GET', body: '' }])
    expect(platform.requests[0]?.headers).not.toHaveProperty('idempotency-key')
    expect(platform.requests[0]?.headers).not.toHaveProperty('content-type')
  })

  it('has no credential when the endpoint needs none', async () => {
    platform.reply('/v1/system/health', success({ status: 'ok', services: [] }))
    await platform.client({ workspaceId: 'ws_1' }).system.health()
    expect(platform.requests[0]?.headers).not.toHaveProperty('x-api-key')
    expect(platform.requests[0]?.headers).not.toHaveProperty('x-workspace-key')
  })
})

describe('a result', () => {
  it('is the resource, a page, the id of a deleted resource, a status with the resource, or the bare body', async () => {
    const client = platform.client()
    platform.reply(workspace, success({ workspace_id: 'ws_1', name: 'One' }))
    expect(await client.system.getWorkspace()).toEqual({ workspace_id: 'ws_1', name: 'One' })
    const pagination = { next_cursor: 'abc', has_more: true }
    platform.reply(sources, { body: { success: true, data: [{ data_source_id: 'src_1' }], pagination } })
    expect(await client.data.listSources()).toEqual({ items: [{ data_source_id: 'src_1' }], nextCursor: 'abc' })
    platform.reply(`${variables}/A`, success({ name: 'A', deleted: true }))
    expect(await client.system.deleteVariable({ params: { name: 'A' } })).toEqual({ id: 'A' })
    platform.reply(variables, { ...success({ name: 'A' }), status: 201 }, success({ name: 'A' }))
    const put = () => client.system.putVariable({ body: { name: 'A', value: 'x' } })
    expect(await put()).toEqual({ status: 'created', data: { name: 'A' } })
    expect(await put()).toEqual({ status: 'ok', data: { name: 'A' } })
    platform.reply('/.well-known/jwks.json', { body: { keys: [] } })
    expect(await client.auth.keySet()).toEqual({ keys: [] })
  })

  it('is not returned when a 200 response is not from the platform', async () => {
    platform.reply(workspace, (response) => void response.end('<html>Sign in to the network</html>'))
    await expect(platform.client().system.getWorkspace()).rejects.toThrow('not from the platform')
  })
})

describe('a raw response', () => {
  it('has status, headers, request id and body, beside the result', async () => {
    platform.reply(workspace, {
      ...success({ workspace_id: 'ws_1' }),
      headers: { etag: '"1"', 'x-request-id': 'req-1' },
    })
    const { data, response } = await platform.client().system.getWorkspace().withResponse()
    expect(data).toEqual({ workspace_id: 'ws_1' })
    expect(response).toMatchObject({ status: 200, requestId: 'req-1', body: success({ workspace_id: 'ws_1' }).body })
    expect(response.headers.get('etag')).toBe('"1"')
  })

  it('is rejected once, with the error of the call', async () => {
    platform.reply(workspace, { status: 404, body: problem(404, 'not_found') })
    await expect(platform.client().system.getWorkspace().withResponse()).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is returned unread for a file', async () => {
    platform.reply('/v1/billing/invoices/bill_1/pdf', (response) => response.end('%PDF'))
    const file = await platform.client().billing.getInvoicePdf({ params: { id: 'bill_1' } })
    expect(await file.text()).toBe('%PDF')
  })
})

describe('an error', () => {
  it('has the members of the problem document', async () => {
    const errors = [{ pointer: '/name', detail: 'is required' }]
    const body = problem(400, 'validation_failed', { errors, required: 3 })
    platform.reply(variables, { status: 400, body })
    const error = await catchError(platform.client().system.putVariable({ body: { name: '', value: '' } }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(ValidationFailedError)
    expect(error).toMatchObject({
      name: 'ValidationFailedError',
      message: 'It was validation_failed',
      status: 400,
      code: 'validation_failed',
      requestId: 'req-from-the-body',
      errors,
      retryAfterSeconds: undefined,
      body,
    })
  })

  it('has status and request id when the response is not a problem document', async () => {
    platform.reply(workspace, (response) =>
      response.writeHead(418, { 'x-request-id': 'req-from-the-header' }).end('<html>Oh</html>'),
    )
    expect(await catchError(platform.client().system.getWorkspace())).toMatchObject({
      name: 'ApiError',
      status: 418,
      code: 'unknown',
      requestId: 'req-from-the-header',
      errors: [],
      body: {},
    })
  })

  it('is thrown for a redirect, which is not followed', async () => {
    platform.reply(workspace, (response) => response.writeHead(302, { location: '/elsewhere' }).end())
    await expect(platform.client().system.getWorkspace()).rejects.toThrow('redirects to /elsewhere')
    expect(platform.requests).toHaveLength(1)
  })
})

describe('pagination', () => {
  it('returns every item and requests a page only when it is needed', async () => {
    const page = (ids: string[], next: string | null) => ({
      body: { success: true, data: ids, pagination: { next_cursor: next, has_more: next !== null } },
    })
    platform.reply(sources, page(['a', 'b'], 'second'))
    platform.reply(`${sources}?cursor=second`, page([], 'third'))
    platform.reply(`${sources}?cursor=third`, page(['c'], null))
    const client = platform.client()
    const walks = [
      () => paginate((cursor) => client.data.listSources({ query: { cursor } })),
      () => client.data.listSources(),
    ]
    for (const start of walks) {
      platform.requests.length = 0
      const walk = start()[Symbol.asyncIterator]()
      expect((await walk.next()).value).toBe('a')
      expect(platform.requests).toHaveLength(1)
      const rest: unknown[] = []
      for (let next = await walk.next(); !next.done; next = await walk.next()) rest.push(next.value)
      expect(rest).toEqual(['b', 'c'])
      expect(platform.requests).toHaveLength(3)
    }
    const sizes: number[] = []
    for await (const { items } of client.data.listSources().pages()) sizes.push(items.length)
    expect(sizes).toEqual([2, 0, 1])
  })

  it('sends the body of a search with each page, and the cursor in it', async () => {
    const page = (key: string, next: string | null) => ({
      body: { success: true, data: [{ key }], pagination: { next_cursor: next, has_more: next !== null } },
    })
    platform.reply('/v1/data/search', page('a', 'second'), page('b', null))
    const keys: string[] = []
    for await (const { key } of platform.client().data.searchRecords({ body: { query: 'archive' } })) keys.push(key)
    expect(keys).toEqual(['a', 'b'])
    expect(platform.requests.map(({ path, body }) => [path, JSON.parse(String(body))])).toEqual([
      ['/v1/data/search', { query: 'archive' }],
      ['/v1/data/search', { query: 'archive', cursor: 'second' }],
    ])
  })
})

describe('an upload', () => {
  const records = `${sources}/src_1/records`
  const upload = (content: string | Uint8Array | Blob | AsyncIterable<Uint8Array>) =>
    platform.client().data.uploadRecords({
      params: { data_source_id: 'src_1' },
      body: { contentType: 'text/csv', content },
    })

  async function* rows() {
    for (let row = 0; row < 3; row += 1) yield new TextEncoder().encode(`${row}\n`)
  }

  it('sends text, bytes, a stream and a blob unchanged', async () => {
    platform.reply(records, success({ record_count: 3 }))
    for (const content of ['0\n1\n2\n', new TextEncoder().encode('0\n1\n2\n'), rows(), new Blob(['0\n1\n', '2\n'])])
      expect(await upload(content)).toEqual({ status: 'ok', data: { record_count: 3 } })
    for (const { body, headers } of platform.requests) {
      expect(body).toBe('0\n1\n2\n')
      expect(headers['content-type']).toBe('text/csv')
      expect(headers).not.toHaveProperty('idempotency-key')
    }
    expect(platform.requests[2]?.headers['transfer-encoding']).toBe('chunked')
  })

  it('returns a sync when the response is 202', async () => {
    platform.reply(records, { ...success({ id: 'sync_1' }), status: 202 })
    expect(await upload('x')).toEqual({ status: 'accepted', data: { id: 'sync_1' } })
  })
})

describe('waiting for a job', () => {
  const path = '/v1/solutions/workplace/forecast/runs/fr_1'
  const job = (status: string, error: object | null = null) => success({ id: 'fr_1', status, progress: 0.5, error })
  const read = () => platform.client().solutions.getForecastRun({ params: { id: 'fr_1' } })

  it('reads it until it ends', async () => {
    platform.reply(path, job('queued'), job('running'), job('finished'))
    const seen: string[] = []
    const run = await waitFor(read, { onProgress: ({ status }) => seen.push(status) })
    expect([run.status, seen]).toEqual(['finished', ['queued', 'running', 'finished']])
  })

  it('rejects if it failed or was cancelled', async () => {
    platform.reply(path, job('failed', { code: 'no_usable_series', message: 'No series' }), job('cancelled'))
    const failed = await catchError(waitFor(read))
    expect(failed).toBeInstanceOf(JobFailedError)
    expect(failed).toMatchObject({ message: 'No series (no_usable_series, fr_1)', job: { status: 'failed' } })
    expect(await catchError(waitFor(read))).toMatchObject({ message: 'fr_1 was cancelled' })
  })

  it('ends with the reason of the signal, or after the time limit', async () => {
    platform.reply(path, job('running'))
    const reason = new Error('enough')
    expect(await catchError(waitFor(read, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    const controller = new AbortController()
    const onProgress = () => controller.abort(reason)
    expect(await catchError(waitFor(read, { signal: controller.signal, onProgress }))).toBe(reason)
    expect(await catchError(waitFor(read, { timeoutMs: 1 }))).toMatchObject({ name: 'TimeoutError' })
  })
})
