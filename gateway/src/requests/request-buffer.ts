import type { RequestReport } from '@wp/contracts'
import type { Subject } from '@wp/service'

type ReportedRequest = RequestReport['requests'][number]
type ReportedCount = RequestReport['counts'][number]

/** A request that was answered. */
export interface AnsweredRequest {
  subject: Subject
  endpointId: string
  requestId: string
  status: number
  /** Code of the error if the edge refused the request. */
  code: string | null
  /** Milliseconds since 1970. */
  startedAt: number
  durationMs: number
}

/** The requests and counts of one cell. */
interface BufferedRequests {
  shard: string
  requests: AnsweredRequest[]
  counts: RequestCount[]
}

export interface RequestBuffer {
  /** Adds a request. @returns the requests that are not in the log for it: itself, or the oldest of its ring */
  add(request: AnsweredRequest): number
  /** Removes everything and returns it by cell. */
  take(): BufferedRequests[]
}

interface Limits {
  /** Workspaces, with users and programs counted apart; those beyond it are neither logged nor counted. */
  rings: number
  /** Requests of one ring: the newest. */
  requestsPerRing: number
  /** Credentials of one ring; the requests of those beyond it are logged, but not counted. */
  credentialsPerRing: number
}

interface Ring {
  shard: string
  requests: AnsweredRequest[]
  /** The slot of the next request once the ring is full. */
  next: number
  counts: Map<string, RequestCount>
}

/** The requests of a credential. */
export interface RequestCount {
  subject: Subject
  requests: number
  clientErrors: number
  serverErrors: number
  lastUsedAt: number
}

/** About 20 MB at most. */
const defaultLimits: Limits = { rings: 4_000, requestsPerRing: 50, credentialsPerRing: 250 }

/**
 * Creates the buffer of the request log. Each workspace has a ring of its own, so that the busiest loses its own
 * requests only; the requests of users, whose console polls, do not overwrite those of programs.
 */
export function createRequestBuffer(limits: Limits = defaultLimits): RequestBuffer {
  const rings = { user: new Map<string, Ring>(), program: new Map<string, Ring>() }

  function ringOf({ workspaceId, shard, principal }: Subject): Ring | undefined {
    if (workspaceId === null) return undefined
    const own = principal.type === 'user' ? rings.user : rings.program
    const known = own.get(workspaceId)
    if (known !== undefined || rings.user.size + rings.program.size >= limits.rings) return known
    const ring = { shard, requests: [], next: 0, counts: new Map() }
    own.set(workspaceId, ring)
    return ring
  }

  return {
    add(request) {
      const ring = ringOf(request.subject)
      if (ring === undefined) return request.subject.workspaceId === null ? 0 : 1
      addCount(ring.counts, request, limits.credentialsPerRing)
      if (ring.requests.length < limits.requestsPerRing) {
        ring.requests.push(request)
        return 0
      }
      ring.requests[ring.next] = request
      ring.next = (ring.next + 1) % limits.requestsPerRing
      return 1
    },
    take() {
      const all = [...rings.program.values(), ...rings.user.values()]
      rings.program.clear()
      rings.user.clear()
      return [...Map.groupBy(all, ({ shard }) => shard)].map(([shard, own]) => ({
        shard,
        requests: own.flatMap(({ requests }) => requests),
        counts: own.flatMap(({ counts }) => [...counts.values()]),
      }))
    },
  }
}

function addCount(counts: Ring['counts'], { subject, status, startedAt }: AnsweredRequest, max: number): void {
  let count = counts.get(subject.credentialId)
  if (count === undefined) {
    if (counts.size >= max) return
    count = { subject, requests: 0, clientErrors: 0, serverErrors: 0, lastUsedAt: 0 }
    counts.set(subject.credentialId, count)
  }
  count.requests += 1
  if (status >= 500) count.serverErrors += 1
  else if (status >= 400) count.clientErrors += 1
  count.lastUsedAt = startedAt
}

const reportedSubject = ({ workspaceId, principal, credentialId }: Subject) => ({
  workspace_id: workspaceId ?? '', // a ring has a workspace
  principal_id: principal.id,
  principal_type: principal.type,
  credential_id: credentialId,
})

export const reportedRequest = (request: AnsweredRequest): ReportedRequest => ({
  ...reportedSubject(request.subject),
  request_id: request.requestId,
  occurred_at: new Date(request.startedAt).toISOString(),
  endpoint: request.endpointId,
  status: request.status,
  code: request.code,
  duration_ms: Math.max(0, Math.round(request.durationMs)),
})

/** A buffer lives for seconds: all its requests count for the day of the last one. */
export function reportedCount({
  subject,
  requests,
  clientErrors,
  serverErrors,
  lastUsedAt,
}: RequestCount): ReportedCount {
  const last = new Date(lastUsedAt).toISOString()
  return {
    ...reportedSubject(subject),
    date: last.slice(0, 10),
    requests,
    client_errors: clientErrors,
    server_errors: serverErrors,
    last_used_at: last,
  }
}
