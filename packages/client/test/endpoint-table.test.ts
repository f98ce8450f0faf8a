import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { publicEndpoints, successStatusesOf } from '@wp/contracts'
import { createClientFromTable, createEndpointTable } from '../src/index.ts'
import { type FakePlatform, startFakePlatform, success, token } from './fixture/fake-platform.ts'

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
})
afterEach(() => platform.stop())

const table = createEndpointTable()
const workspace = '/v1/system/workspace'

describe('the endpoint table', () => {
  it('has every public endpoint that responds with JSON, events or a file, as its contract declares it', () => {
    const definitions = publicEndpoints
      .map(({ definition }) => definition)
      .filter(({ response = 'json' }) => ['json', 'json-or-events', 'events', 'file'].includes(response))
    expect(definitions.length).toBeGreaterThan(100)
    expect(table.map(({ id }) => id)).toEqual(definitions.map(({ id }) => id))
    for (const definition of definitions) {
      const entry = table.find(({ id }) => id === definition.id)
      expect(entry).toMatchObject({ method: definition.method, path: definition.path })
      expect([definition.id, entry?.input]).toEqual([definition.id, definition.input])
      expect([definition.id, entry?.credentials === 'none']).toEqual([definition.id, definition.credentials === 'none'])
      const { bare, list, meta, deleted, response } = definition
      if (response === 'events' || response === 'file') {
        expect([definition.id, entry?.result.kind]).toEqual([definition.id, response])
        continue
      }
      const several = successStatusesOf(definition).length > 1
      expect([definition.id, entry?.result]).toEqual([
        definition.id,
        bare
          ? { kind: 'bare' }
          : list
            ? { kind: 'page', ...(meta && { meta: true }) }
            : deleted
              ? { kind: 'deleted', idField: deleted }
              : { kind: several ? 'data-with-status' : 'data' },
      ])
    }
  })

  it('is JSON', () => {
    expect(JSON.parse(JSON.stringify(table))).toEqual(table)
  })
})

describe('a client made from a table', () => {
  it('calls the endpoints of the table and has no other methods', async () => {
    const entries = table.filter(({ id }) => id === 'system.getWorkspace')
    platform.reply(workspace, success({ workspace_id: 'ws_1' }))
    const client = createClientFromTable({ baseUrl: platform.baseUrl, credential: { apiKey: 'key_test' } }, entries)
    expect(await client.system.getWorkspace()).toEqual({ workspace_id: 'ws_1' })
    expect(Object.keys(client)).toEqual(['system'])
    expect(Object.keys(client.system)).toEqual(['getWorkspace'])
  })

  it('rejects a call with a client secret when the table has no token endpoint', async () => {
    const entries = table.filter(({ id }) => id === 'system.getWorkspace')
    const credential = { clientId: 'sp_1', clientSecret: 'hush' }
    const client = createClientFromTable({ baseUrl: platform.baseUrl, credential }, entries)
    await expect(client.system.getWorkspace()).rejects.toThrow('the endpoint table has no auth.exchangeToken')
    expect(platform.requests).toEqual([])
  })
})

describe('the client of a session', () => {
  it('sends the constant headers and no credential, below the path of a proxy', async () => {
    const proxied = `/console/api${workspace}`
    platform.reply(proxied, success({ workspace_id: 'ws_1' }))
    const client = platform.client({
      baseUrl: `${platform.baseUrl}/console/api`,
      credential: { session: true },
      headers: { 'x-console': '1' },
      workspaceId: 'ws_1',
    })
    await client.system.getWorkspace()
    const [request] = platform.requestsTo(proxied)
    expect(request?.headers).toMatchObject({ 'x-console': '1', 'x-workspace-key': 'ws_1' })
    for (const name of ['authorization', 'x-api-key']) expect(request?.headers).not.toHaveProperty(name)
  })

  it('passes on a 401, without a second attempt', async () => {
    platform.reply(workspace, { status: 401, body: { code: 'reauthentication_required' } })
    const client = platform.client({ credential: { session: true } })
    await expect(client.system.getWorkspace()).rejects.toMatchObject({ code: 'reauthentication_required' })
    expect(platform.requests).toHaveLength(1)
  })
})

describe('constant headers', () => {
  it('are sent with token requests, and are replaced by those of a call', async () => {
    platform.reply('/v1/auth/token', token('one'))
    platform.reply(workspace, success({ workspace_id: 'ws_1' }))
    const client = platform.client({
      credential: { clientId: 'sp_1', clientSecret: 'hush' },
      headers: { 'x-trace': 'constant' },
    })
    await client.system.getWorkspace({}, { headers: { 'x-trace': 'call' } })
    expect(platform.requests.map(({ headers }) => headers['x-trace'])).toEqual(['constant', 'call'])
  })
})
