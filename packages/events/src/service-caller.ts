import type { Caller } from '@wp/contracts'

/** The service itself as caller, for what nobody asked for just now: handling an event, working a job off. */
export function serviceCaller(
  service: string,
  scope: { shard: string; workspaceId: string | null; requestId: string; traceparent?: string | null },
): Caller {
  const { shard, workspaceId, requestId, traceparent } = scope
  return {
    principal: { id: service, type: 'service' },
    credentialId: service,
    workspaceId,
    shard,
    location: '',
    scopes: [],
    requestId,
    ...(traceparent === undefined || traceparent === null ? {} : { traceparent }),
  }
}
