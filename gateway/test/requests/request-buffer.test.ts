import { describe, expect, it } from '@jest/globals'
import type { Subject } from '@wp/service'
import {
  type AnsweredRequest,
  createRequestBuffer,
  reportedCount,
  reportedRequest,
} from '../../src/requests/request-buffer.ts'

const subjectOf = (workspaceId: string | null, type: 'user' | 'api_key' = 'api_key', shard = 'eu1'): Subject => ({
  principal: { id: `${type}_1`, type },
  credentialId: `${type}_credential`,
  workspaceId,
  shard,
  location: 'EU',
  scopes: [],
})

const startedAt = Date.parse('2026-03-04T05:06:07.890Z')

const requestOf = (subject: Subject, requestId: string, status = 200): AnsweredRequest => ({
  subject,
  requestId,
  status,
  startedAt,
  durationMs: 1.6,
  endpointId: 'data.listSources',
  code: null,
})

const idsOf = (buffer: ReturnType<typeof createRequestBuffer>) =>
  buffer.take().flatMap(({ requests }) => requests.map(({ requestId }) => requestId))

describe('the buffer of requests', () => {
  it('returns each request once, with its cell, and counts by credential', () => {
    const buffer = createRequestBuffer()
    for (const status of [200, 404, 503]) buffer.add(requestOf(subjectOf('ws_a'), `r${status}`, status))
    const [cell, ...others] = buffer.take()
    expect(others).toEqual([])
    expect(cell?.shard).toBe('eu1')
    expect(cell?.requests).toHaveLength(3)
    expect(cell?.requests.map(reportedRequest)[0]).toEqual({
      workspace_id: 'ws_a',
      principal_id: 'api_key_1',
      principal_type: 'api_key',
      credential_id: 'api_key_credential',
      request_id: 'r200',
      occurred_at: '2026-03-04T05:06:07.890Z',
      endpoint: 'data.listSources',
      status: 200,
      code: null,
      duration_ms: 2,
    })
    expect(cell?.counts.map(reportedCount)).toMatchObject([
      { date: '2026-03-04', requests: 3, client_errors: 1, server_errors: 1 },
    ])
    expect(buffer.take()).toEqual([])
  })

  it('keeps the newest requests of a workspace that makes too many, counts all, and takes none from others', () => {
    const buffer = createRequestBuffer({ rings: 10, requestsPerRing: 3, credentialsPerRing: 10 })
    buffer.add(requestOf(subjectOf('ws_quiet'), 'quiet'))
    buffer.add(requestOf(subjectOf('ws_busy'), 'program'))
    const dropped = [1, 2, 3, 4, 5].map((n) => buffer.add(requestOf(subjectOf('ws_busy', 'user'), `user-${n}`)))
    expect(dropped).toEqual([0, 0, 0, 1, 1])
    const [cell] = buffer.take()
    expect(cell?.requests.map(({ requestId }) => requestId).sort()).toEqual([
      ...['program', 'quiet', 'user-3', 'user-4', 'user-5'],
    ])
    expect(cell?.counts.map(({ requests }) => requests).sort()).toEqual([1, 1, 5])
  })

  it('is bounded in workspaces and credentials, and drops requests without a workspace', () => {
    const buffer = createRequestBuffer({ rings: 2, requestsPerRing: 3, credentialsPerRing: 1 })
    expect(buffer.add(requestOf(subjectOf(null), 'none'))).toBe(0)
    for (const workspace of ['ws_a', 'ws_b', 'ws_c']) buffer.add(requestOf(subjectOf(workspace), workspace))
    buffer.add(requestOf({ ...subjectOf('ws_a'), credentialId: 'another' }, 'uncounted'))
    const [cell] = buffer.take()
    expect(cell?.requests.map(({ requestId }) => requestId)).toEqual(['ws_a', 'uncounted', 'ws_b'])
    expect(cell?.counts).toHaveLength(2)
    buffer.add(requestOf(subjectOf('ws_c'), 'later'))
    expect(idsOf(buffer)).toEqual(['later'])
  })

  it('separates cells', () => {
    const buffer = createRequestBuffer()
    buffer.add(requestOf(subjectOf('ws_a', 'user', 'eu1'), 'a'))
    buffer.add(requestOf(subjectOf('ws_b', 'user', 'us1'), 'b'))
    expect(buffer.take().map(({ shard }) => shard)).toEqual(['eu1', 'us1'])
  })
})
