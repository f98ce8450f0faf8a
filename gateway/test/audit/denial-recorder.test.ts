import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startNats, startTestFleet, type TestResponse, type TestWorkspace } from '@wp/testkit'
import { Client } from 'pg'
import { maxDenialsPerMinute } from '../../src/audit/denial-throttle.ts'

const nats = await startNats()
const fleet = await startTestFleet({ services: ['auth', 'system', 'audit'], natsUrl: nats.url })
const admin = new Client({ connectionString: fleet.databases.get('audit')?.adminUrl })
await admin.connect()
const token = await fleet.token(fleet.owner)
afterAll(async () => {
  await admin.end()
  await fleet.stop()
  await nats.stop()
})

interface Row {
  workspace_id: string
  request_id: string
  actor_id: string
  targets: { type: string; id: string }[]
  changes: Record<string, unknown>
}

const denials = async (where = 'true', values: unknown[] = []): Promise<Row[]> =>
  (await admin.query(`SELECT * FROM audit_records WHERE action = 'request.denied' AND ${where} ORDER BY seq`, values))
    .rows

/** Sends a request that is denied, and returns the recorded denial. */
async function requestDenied(path: string, options: { as: string; headers?: Record<string, string> }, method = 'GET') {
  const response = await fleet.request(method, path, options)
  const requestId = response.headers.get('x-request-id')
  const [row] = await eventually(async () => {
    const rows = await denials('request_id = $1', [requestId])
    return rows.length > 0 && rows
  })
  return { response, row: row as Row } // `eventually` returns only with a row
}

const code = (response: TestResponse) => response.body.code

describe('a denied request', () => {
  it('is recorded in the log of the workspace', async () => {
    const narrow = await fleet.token(fleet.owner, 'audit:read')
    const { response } = await requestDenied('/v1/system/workspace', {
      as: narrow,
      headers: { 'user-agent': 'curl/8' },
    })
    expect(code(response)).toBe('missing_scope')
    const { body } = await fleet.request('GET', '/v1/audit/logs?outcome=denied&limit=1', { as: narrow })
    expect(body.data).toMatchObject([
      {
        action: 'request.denied',
        actor: { id: fleet.owner.clientId, type: 'service_principal' },
        targets: [{ type: 'endpoint', id: 'system.getWorkspace' }],
        context: { ip: '127.0.0.1', user_agent: 'curl/8', request_id: response.headers.get('x-request-id') },
        outcome: 'denied',
        changes: { code: 'missing_scope', required_scope: 'workspace:read' },
      },
    ])
  })

  it('is recorded in the log of the caller, not in that of the requested workspace', async () => {
    const headers = { 'x-workspace-key': fleet.stranger.workspaceId }
    const mismatch = await requestDenied('/v1/system/workspace', { as: token, headers })
    expect([code(mismatch.response), mismatch.row.workspace_id]).toEqual([
      'workspace_mismatch',
      fleet.owner.workspaceId,
    ])
    const user = await fleet.userToken(fleet.owner.ownerId)
    const forbidden = await requestDenied('/v1/system/workspace', { as: user, headers })
    expect([code(forbidden.response), forbidden.row.workspace_id]).toEqual([
      'workspace_forbidden',
      fleet.owner.workspaceId,
    ])
    expect(forbidden.row.targets).toContainEqual({ type: 'workspace', id: fleet.stranger.workspaceId })
    expect(await denials('workspace_id = $1', [fleet.stranger.workspaceId])).toEqual([])
  })

  it('is recorded when the kind of credential or principal is not accepted', async () => {
    const bearer = await requestDenied('/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect([code(bearer.response), bearer.row.changes.code]).toEqual(['bearer_required', 'bearer_required'])
    const user = await requestDenied('/v1/system/workspaces', { as: token }, 'POST')
    expect([code(user.response), user.row.changes.code]).toEqual(['user_required', 'user_required'])
  })

  it('is recorded when it has a revoked key', async () => {
    const made = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: {} })
    const { api_key: as, key_id: id, last4 } = made.body.data
    expect((await fleet.request('GET', '/v1/system/workspace', { as })).status).toBe(200)
    await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: token })
    await eventually(async () => (await fleet.request('GET', '/v1/auth/me', { as })).status === 401)
    const { response, row } = await requestDenied('/v1/system/workspace', { as })
    expect([code(response), row.workspace_id]).toEqual(['revoked_credential', fleet.owner.workspaceId])
    expect(row.actor_id).toBe(`…${last4}`)
  })

  it('is not recorded when the caller is unknown', async () => {
    const before = (await denials()).length
    const unknown = `key_${fleet.env('gateway').SHARD}.TST.${fleet.owner.workspaceId}.20f4851f-f293-4065-8c64-546c2509893e`
    for (const as of [undefined, 'nonsense', unknown])
      expect((await fleet.request('GET', '/v1/system/workspace', as === undefined ? {} : { as })).status).toBe(401)
    await requestDenied('/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect((await denials()).length).toBe(before + 1)
  })

  it('is counted instead of recorded beyond the limit per minute', async () => {
    const flooder = await fleet.seed('flooder')
    const as = await fleet.token(flooder, 'data:read')
    const attempts = maxDenialsPerMinute.credential + 25
    for (let n = 0; n < attempts; n += 1)
      await fleet.request('GET', '/v1/system/workspace', { as, headers: { 'x-request-id': 'always-the-same' } })
    const recorded = () => denials('workspace_id = $1', [flooder.workspaceId])
    await eventually(async () => (await recorded()).length === maxDenialsPerMinute.credential)
    // the count is recorded when the minute ends or the edge stops
    await fleet.member('gateway').stop()
    await eventually(async () => (await recorded()).length === maxDenialsPerMinute.credential + 1)
    expect((await recorded()).at(-1)?.changes).toMatchObject({ further_denials: 25 })
    await fleet.restart('gateway')
    await expectIntactLog(flooder)
  })
})

describe('denied requests of callers without a workspace', () => {
  const recorded = () => denials("workspace_id = 'platform'")

  it('are limited per client network, and leave the logs of workspaces as fast as before', async () => {
    const member = await fleet.userToken(fleet.stranger.ownerId)
    await fleet.request('POST', '/v1/system/workspaces', { as: member, body: { name: 'Second' } })
    const before = (await recorded()).length
    const headers = { 'x-workspace-key': fleet.owner.workspaceId }
    for (let session = 0; session < 5; session += 1) {
      const as = await fleet.userToken(fleet.stranger.ownerId)
      for (let count = 0; count < 20; count += 1) {
        const denied = await fleet.request('GET', '/v1/system/workspace', { as, headers })
        expect(code(denied)).toBe('workspace_forbidden')
      }
    }
    await requestDenied('/v1/auth/api-key', { as: fleet.owner.apiKey })
    const limit = before + maxDenialsPerMinute.network
    await eventually(async () => (await recorded()).length === limit)
    // the count is recorded when the minute ends or the edge stops
    await fleet.member('gateway').stop()
    await eventually(async () => (await recorded()).length === limit + 1)
    expect((await recorded()).at(-1)?.changes).toMatchObject({ further_denials: 70, counted_by: 'network' })
    await fleet.restart('gateway')
  })
})

async function expectIntactLog(workspace: TestWorkspace) {
  const { body } = await fleet.request('GET', '/v1/audit/logs/verify', { as: workspace.apiKey })
  expect(body.data).toMatchObject({ status: 'ok', problems: [] })
}

describe('while the broker is unavailable', () => {
  const deny = async () => {
    const response = await fleet.request('GET', '/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect(response.status).toBe(403)
    return response.headers.get('x-request-id') ?? ''
  }
  const recordedOnce = (ids: string[]) =>
    eventually(
      async () => {
        const rows = await denials('request_id = ANY ($1)', [ids])
        expect(rows.length).toBeLessThanOrEqual(ids.length)
        return rows.length === ids.length
      },
      { description: 'all denials' },
    )

  it('denials wait, and are recorded once each when it is back', async () => {
    const before = await deny()
    await recordedOnce([before])
    await nats.kill()
    const during = [await deny(), await deny(), await deny()]
    await nats.restart()
    const after = await deny()
    await recordedOnce([before, ...during, after])
    await expectIntactLog(fleet.owner)
  })
})
