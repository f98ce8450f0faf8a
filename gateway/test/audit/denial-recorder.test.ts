import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  type Nats,
  startNats,
  startTestFleet,
  type TestFleet,
  type TestResponse,
  type TestWorkspace,
} from '@wp/testkit'
import { Client } from 'pg'
import { maxDenialsPerWindow } from '../../src/audit/denial-throttle.ts'

let fleet: TestFleet
let nats: Nats
let admin: Client
let token: string
beforeAll(async () => {
  nats = await startNats()
  fleet = await startTestFleet({ services: ['auth', 'system', 'audit'], natsUrl: nats.url })
  admin = new Client({ connectionString: fleet.databases.get('audit')?.adminUrl })
  await admin.connect()
  token = await fleet.token(fleet.owner)
}, 60_000)
afterAll(async () => {
  await admin?.end()
  await fleet?.stop()
  await nats?.stop()
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

/** Asks, is refused, and finds what was recorded of it. */
async function denied(path: string, options: { as: string; headers?: Record<string, string> }, method = 'GET') {
  const answer = await fleet.request(method, path, options)
  const requestId = answer.headers.get('x-request-id')
  const [row] = await eventually(async () => {
    const rows = await denials('request_id = $1', [requestId])
    return rows.length > 0 && rows
  })
  return { answer, row: row as Row } // there is one, or the wait would have failed
}

const code = (answer: TestResponse) => answer.body.code

describe('what the edge does not let through', () => {
  it('is in the log of the workspace, readable by who may', async () => {
    const narrow = await fleet.token(fleet.owner, 'audit:read')
    const { answer } = await denied('/v1/system/workspace', { as: narrow, headers: { 'user-agent': 'curl/8' } })
    expect(code(answer)).toBe('missing_scope')
    const { body } = await fleet.request('GET', '/v1/audit/logs?outcome=denied&limit=1', { as: narrow })
    expect(body.data).toMatchObject([
      {
        action: 'request.denied',
        actor: { id: fleet.owner.clientId, type: 'service_principal' },
        targets: [{ type: 'endpoint', id: 'system.getWorkspace' }],
        context: { ip: '127.0.0.1', user_agent: 'curl/8', request_id: answer.headers.get('x-request-id') },
        outcome: 'denied',
        changes: { code: 'missing_scope', required_scope: 'workspace:read' },
      },
    ])
  })

  it('is in the caller’s own log when it was meant for another workspace, and in no log of that one', async () => {
    const headers = { 'x-workspace-key': fleet.stranger.workspaceId }
    const mismatch = await denied('/v1/system/workspace', { as: token, headers })
    expect([code(mismatch.answer), mismatch.row.workspace_id]).toEqual(['workspace_mismatch', fleet.owner.workspaceId])
    const user = await fleet.userToken(fleet.owner.ownerId)
    const forbidden = await denied('/v1/system/workspace', { as: user, headers })
    expect([code(forbidden.answer), forbidden.row.workspace_id]).toEqual([
      'workspace_forbidden',
      fleet.owner.workspaceId,
    ])
    expect(forbidden.row.targets).toContainEqual({ type: 'workspace', id: fleet.stranger.workspaceId })
    expect(await denials('workspace_id = $1', [fleet.stranger.workspaceId])).toEqual([])
  })

  it('is known by the kind of credential and of principal, too', async () => {
    const bearer = await denied('/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect([code(bearer.answer), bearer.row.changes.code]).toEqual(['bearer_required', 'bearer_required'])
    const user = await denied('/v1/system/workspaces', { as: token }, 'POST')
    expect([code(user.answer), user.row.changes.code]).toEqual(['user_required', 'user_required'])
  })

  it('is what a revoked key asked for', async () => {
    const made = await fleet.request('POST', '/v1/auth/api-key', { as: token, body: {} })
    const { api_key: as, key_id: id, last4 } = made.body.data
    expect((await fleet.request('GET', '/v1/system/workspace', { as })).status).toBe(200)
    await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: token })
    await eventually(async () => (await fleet.request('GET', '/v1/auth/me', { as })).status === 401)
    const { answer, row } = await denied('/v1/system/workspace', { as })
    expect([code(answer), row.workspace_id]).toEqual(['revoked_credential', fleet.owner.workspaceId])
    expect(row.actor_id).toBe(`…${last4}`)
  })

  it('is nothing to the log where nobody is known, or only too much was asked', async () => {
    const before = (await denials()).length
    const unknown = `key_${fleet.env('gateway').SHARD}.TST.${fleet.owner.workspaceId}.20f4851f-f293-4065-8c64-546c2509893e`
    for (const as of [undefined, 'nonsense', unknown])
      expect((await fleet.request('GET', '/v1/system/workspace', as === undefined ? {} : { as })).status).toBe(401)
    await denied('/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect((await denials()).length).toBe(before + 1)
  })

  it('is told of one by one only so often, and then by its number', async () => {
    const flooder = await fleet.seed('flooder')
    const as = await fleet.token(flooder, 'data:read')
    const attempts = maxDenialsPerWindow + 25
    for (let n = 0; n < attempts; n += 1)
      await fleet.request('GET', '/v1/system/workspace', { as, headers: { 'x-request-id': 'always-the-same' } })
    const told = () => denials('workspace_id = $1', [flooder.workspaceId])
    await eventually(async () => (await told()).length === maxDenialsPerWindow)
    // The number is told of when the minute is over, or the edge ends.
    await fleet.member('gateway').stop()
    await eventually(async () => (await told()).length === maxDenialsPerWindow + 1)
    expect((await told()).at(-1)?.changes).toMatchObject({ further_denials: 25 })
    await fleet.restart('gateway')
    await expectWhole(flooder)
  })
})

async function expectWhole(tenant: TestWorkspace) {
  const { body } = await fleet.request('GET', '/v1/audit/logs/verify', { as: tenant.apiKey })
  expect(body.data).toMatchObject({ status: 'ok', problems: [] })
}

describe('while the broker is away', () => {
  const deny = async () => {
    const answer = await fleet.request('GET', '/v1/auth/api-key', { as: fleet.owner.apiKey })
    expect(answer.status).toBe(403)
    return answer.headers.get('x-request-id') ?? ''
  }
  const recordedOnce = (ids: string[]) =>
    eventually(
      async () => {
        const rows = await denials('request_id = ANY ($1)', [ids])
        expect(rows.length).toBeLessThanOrEqual(ids.length)
        return rows.length === ids.length
      },
      { timeoutMs: 15_000, description: 'all denials' },
    )

  it('denials wait, and are recorded when it is back, each once', async () => {
    const before = await deny()
    await recordedOnce([before])
    await nats.kill()
    const meanwhile = [await deny(), await deny(), await deny()]
    await nats.restart()
    const after = await deny()
    await recordedOnce([before, ...meanwhile, after])
    await expectWhole(fleet.owner)
  }, 30_000)
})
