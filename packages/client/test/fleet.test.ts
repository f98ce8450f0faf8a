import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import { createClient, paginate } from '../src/index.ts'

const fleet = await startTestFleet({ services: ['auth', 'system', 'data'] })
const { clientId, clientSecret } = fleet.owner
const client = createClient({ baseUrl: fleet.baseUrl, credential: { clientId, clientSecret } })
afterAll(() => fleet.stop())

describe('the client with a real platform', () => {
  it('authenticates as a service principal or with an API key', async () => {
    expect(await client.system.getWorkspace()).toMatchObject({ workspace_id: fleet.owner.workspaceId })
    expect((await client.auth.me()).credential.type).toBe('bearer')
    const byKey = createClient({ baseUrl: fleet.baseUrl, credential: { apiKey: fleet.owner.apiKey } })
    expect((await byKey.auth.me()).credential.type).toBe('api_key')
  })

  it('rejects with invalid_client when the secret is wrong', async () => {
    const credential = { clientId: fleet.owner.clientId, clientSecret: 'wrong' }
    const stranger = createClient({ baseUrl: fleet.baseUrl, credential })
    await expect(stranger.system.getWorkspace()).rejects.toMatchObject({ status: 401, code: 'invalid_client' })
  })

  it('rejects when the workspace is foreign, a scope is missing, a field is invalid or a resource unknown', async () => {
    const { clientId, clientSecret } = fleet.owner
    const elsewhere = createClient({
      baseUrl: fleet.baseUrl,
      credential: { clientId, clientSecret },
      workspaceId: fleet.stranger.workspaceId,
    })
    await expect(elsewhere.system.getWorkspace()).rejects.toMatchObject({ status: 403, code: 'workspace_mismatch' })
    const reader = createClient({
      baseUrl: fleet.baseUrl,
      credential: { clientId, clientSecret, scope: 'workspace:read' },
    })
    const put = (name: string) => ({ body: { name, value: 'x' } })
    await expect(reader.system.putVariable(put('X'))).rejects.toMatchObject({
      status: 403,
      code: 'missing_scope',
      body: { required_scope: 'workspace:write' },
    })
    await expect(client.system.putVariable(put('lower'))).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      requestId: expect.stringMatching(/^req-/),
      errors: [{ pointer: '/name', detail: expect.any(String) }],
    })
    await expect(client.system.getVariable({ params: { name: 'ABSENT' } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
  })

  it('gets the first response again when an idempotency key is repeated', async () => {
    const add = (value: string) =>
      client.system.putVariable({ body: { name: 'KEYED', value } }, { idempotencyKey: 'one' })
    const first = await add('a')
    expect(first).toMatchObject({ status: 'created', data: { value: 'a' } })
    await client.system.putVariable({ body: { name: 'KEYED', value: 'b' } })
    expect(await add('a')).toEqual(first)
    await expect(add('c')).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  it('streams an upload and iterates over its records', async () => {
    const source = await client.data.createSource({ body: { name: 'Doors', provider: 'upload' } })
    const params = { data_source_id: source.data_source_id }
    async function* rows() {
      const encoder = new TextEncoder()
      yield encoder.encode('door,count\n')
      for (let door = 0; door < 30; door += 1) yield encoder.encode(`door ${door},${door}\n`)
    }
    const uploaded = await client.data.uploadRecords({ params, body: { contentType: 'text/csv', content: rows() } })
    expect(uploaded).toMatchObject({ status: 'ok', data: { record_count: 30, counts: { created: 30 } } })
    const doors = new Set()
    for await (const { data } of paginate((cursor) =>
      client.data.listRecords({ params, query: { limit: 10, cursor } }),
    ))
      doors.add(data.door)
    expect(doors.size).toBe(30)
    expect(await client.data.deleteSource({ params })).toEqual({ id: source.data_source_id })
  })
})
