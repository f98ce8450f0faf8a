import type { RequestCaller, WorkspaceCaller } from '@wp/contracts'
import { withBodyDigest } from '@wp/database'

/** The callers of the transactions of one upload. */
export interface UploadCallers {
  /** Returns the caller of the next batch. The first one writes the audit event. */
  next(): RequestCaller<WorkspaceCaller>
  /** Returns the caller of the last transaction, which stores the response for the idempotency key. */
  last(bodyDigest: string): RequestCaller<WorkspaceCaller>
}

export function createUploadCallers(caller: RequestCaller<WorkspaceCaller>): UploadCallers {
  const { request, ...withoutRequest } = caller
  let isFirst = true

  function next(): RequestCaller<WorkspaceCaller> {
    if (!isFirst || request === undefined) return withoutRequest
    isFirst = false
    const { idempotency: _idempotency, ...firstRequest } = request
    return { ...withoutRequest, request: firstRequest }
  }

  return {
    next,
    last(bodyDigest) {
      if (request?.idempotency === undefined) return next()
      const { endpointId, idempotency } = request
      const lastRequest = isFirst ? request : { endpointId, idempotency }
      return withBodyDigest({ ...withoutRequest, request: lastRequest }, bodyDigest)
    },
  }
}
