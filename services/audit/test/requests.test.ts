import { afterAll, describe, expect, it } from '@jest/globals'
import { maxReportedRequests } from '@wp/contracts'
import { problemResponse } from '@wp/testkit/problem-response'
import { ringSlots } from '../src/store/requests.ts'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'

const audit = await startAuditHarness()
afterAll(() => audit.stop())

const edge = { workspaceId: null, principal: { id: 'svc:gateway', type: 'service' as const }, scopes: [] }

const hourMs = 3_600_000
/** The last whole hour: recent, because the service deletes older requests when it starts. */
const hourStart = (Math.floor(Date.now() / hourMs) - 1) * hourMs
const timeOf = (second: number) => new Date(hourStart + second * 1000).toISOString()
const date = timeOf(0).slice(0, 10)

const requestOf = (workspaceId: string, fields: object = {}) => ({
  workspace_id: workspaceId,
  principal_id: 'akey_1',
  principal_type: 'api_key',
  credential_id: 'akey_1',
  request_id: 'request-1',
  occurred_at: timeOf(0),
  endpoint: 'data.getSource',
  status: 200,
  code: null,
  duration_ms: 12,
  ...fields,
})

const report = async (requests: object[], counts: object[] = []) => {
  const answer = await audit.request('POST', '/internal/audit/requests', { caller: edge, body: { requests, counts } })
  expect(answer.status).toBe(200)
}

const list = async (workspaceId: string, query = '') =>
  (await audit.request('GET', `/v1/audit/requests?${query}`, { caller: { workspaceId } })).body

describe('the request log', () => {
  it('lists the requests of the workspace with what the contract says of the endpoint', async () => {
    const [own, other] = [newWorkspace(), newWorkspace()]
    await report([requestOf(own.workspaceId), requestOf(other.workspaceId)])
    expect((await list(own.workspaceId)).data).toEqual([
      {
        id: expect.stringMatching(/^req_/),
        request_id: 'request-1',
        occurred_at: timeOf(0),
        method: 'GET',
        path: '/v1/data/sources/{data_source_id}',
        endpoint: 'data.getSource',
        status: 200,
        code: null,
        duration_ms: 12,
        principal: { id: 'akey_1', type: 'api_key' },
        credential_id: 'akey_1',
      },
    ])
  })

  it('filters by credential, method, status, class of status and contained text, and pages', async () => {
    const { workspaceId } = newWorkspace()
    const at = (second: number) => ({ occurred_at: timeOf(second) })
    await report([
      requestOf(workspaceId, { request_id: 'first', ...at(1) }),
      requestOf(workspaceId, { request_id: 'second', ...at(2), status: 404, credential_id: 'akey_2' }),
      requestOf(workspaceId, {
        request_id: 'third',
        ...at(3),
        endpoint: 'data.createSource',
        status: 403,
        code: 'missing_scope',
      }),
      requestOf(workspaceId, { request_id: 'unknown', ...at(4), endpoint: 'data.unknown' }),
    ])
    const ids = async (query: string) =>
      (await list(workspaceId, query)).data.map(({ request_id }: { request_id: string }) => request_id)
    expect(await ids('')).toEqual(['third', 'second', 'first'])
    expect(await ids('credential=akey_2')).toEqual(['second'])
    expect(await ids('method=POST')).toEqual(['third'])
    expect(await ids('status=4xx')).toEqual(['third', 'second'])
    expect(await ids('status=404')).toEqual(['second'])
    expect(await ids('q=CREATEsource')).toEqual(['third'])
    expect(await ids('q=%25')).toEqual([])
    expect(await ids(`until=${timeOf(2)}`)).toEqual(['first'])
    const first = await list(workspaceId, 'limit=2')
    expect(await ids(`limit=2&cursor=${first.pagination.next_cursor}`)).toEqual(['first'])
  })

  it('keeps the newest requests of programs and of users apart, and no more than a ring holds', async () => {
    const [busy, quiet] = [newWorkspace().workspaceId, newWorkspace().workspaceId]
    await report([requestOf(quiet), requestOf(busy, { request_id: 'program' })])
    const batches = ringSlots / maxReportedRequests + 1
    for (let batch = 0; batch < batches; batch++)
      await report(
        Array.from({ length: maxReportedRequests }, (_, n) =>
          requestOf(busy, {
            principal_type: 'user',
            request_id: `user-${batch}-${n}`,
            occurred_at: timeOf((batch * maxReportedRequests + n) / 1000),
          }),
        ),
      )
    const counted = await audit.sql<{ workspace_id: string; is_user: boolean; rows: number }>(
      `SELECT workspace_id, is_user, count(*)::int AS rows FROM request_entries WHERE workspace_id = ANY ($1)
       GROUP BY workspace_id, is_user ORDER BY rows`,
      [[busy, quiet]],
    )
    expect(counted.map(({ rows }) => rows)).toEqual([1, 1, ringSlots])
    expect((await list(busy, 'callers=users&limit=1')).data[0].request_id).toBe(
      `user-${batches - 1}-${maxReportedRequests - 1}`,
    )
    expect((await list(busy, 'q=user-0-')).data).toEqual([])
    expect((await list(busy, 'callers=programs')).data).toHaveLength(1)
  })

  it('adds up the counts of a day', async () => {
    const { workspaceId } = newWorkspace()
    const count = {
      workspace_id: workspaceId,
      principal_id: 'akey_1',
      principal_type: 'api_key',
      credential_id: 'akey_1',
      date,
      requests: 3,
      client_errors: 1,
      server_errors: 0,
    }
    await report([], [{ ...count, last_used_at: timeOf(60) }])
    await report([], [{ ...count, last_used_at: timeOf(30) }])
    const { body } = await audit.request('GET', '/v1/audit/requests/usage?credential=akey_1', {
      caller: { workspaceId },
    })
    expect(body.data).toEqual([
      {
        date,
        credential_id: 'akey_1',
        principal: { id: 'akey_1', type: 'api_key' },
        requests: 6,
        client_errors: 2,
        server_errors: 0,
        last_used_at: timeOf(60),
      },
    ])
  })

  it('is written by the edge alone', async () => {
    const refused = await audit.request('POST', '/internal/audit/requests', {
      signer: 'data',
      caller: { ...edge, principal: { id: 'svc:data', type: 'service' } },
      body: { requests: [], counts: [] },
    })
    expect(refused).toMatchObject(problemResponse(403, 'caller_not_allowed'))
  })
})
