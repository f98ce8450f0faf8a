import type { Caller } from '@wp/contracts'

/** Returns the service itself as caller, for work without a current request: handling an event, running a job. */
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
