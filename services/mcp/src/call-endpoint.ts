import {
  type Caller,
  type EndpointDefinition,
  Problem,
  type PublicEndpoint,
  problem,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { SemaphoreTimeout } from '@wp/runtime'
import { authorizeSubject, type CallInput } from '@wp/service'
import type { Context } from './context.ts'

/** The caller of a message, and the signal that is aborted when its client disconnects. */
export interface Exchange {
  caller: RequestCaller<WorkspaceCaller>
  signal: AbortSignal
}

/**
 * Calls an endpoint as the caller of a message, in turn with the other calls of the workspace.
 * @throws the Problem of the endpoint; `rate_limited` if too many calls of the workspace are in progress
 */
export async function callEndpoint<E extends PublicEndpoint>(
  { internal, slots }: Pick<Context, 'internal' | 'slots'>,
  { caller, signal }: Exchange,
  definition: E,
  request: CallInput<E>,
) {
  const release = await slots.acquire(caller.workspaceId, signal).catch((error: unknown) => {
    throw error instanceof SemaphoreTimeout ? tooManyCalls(error) : error
  })
  try {
    return await internal.call(definition, caller, request, { signal })
  } finally {
    release()
  }
}

const tooManyCalls = (cause: unknown) =>
  problem('rate_limited', {
    detail: 'Too many calls of this workspace are in progress; wait for some to end, then retry',
    cause,
  })

/** Returns true if a caller may use an endpoint: by kind of credential, kind of principal and scope. */
export function isPermitted(definition: EndpointDefinition, caller: Caller): boolean {
  try {
    authorizeSubject(definition, caller)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
