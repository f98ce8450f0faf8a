import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { Problem, problem, problemBody } from '@wp/contracts'
import type { Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'

/**
 * Returns the JSON-RPC error for an error of a request: the problem is its `data`. The cause of an error that is not
 * the caller's is logged; the caller does not see it.
 */
export function toProtocolError(error: unknown, { config, log }: Context, { caller, signal }: Exchange): ProtocolError {
  if (error instanceof ProtocolError) return error
  const known = error instanceof Problem ? error : problem('internal_error', { cause: error })
  const { requestId } = caller
  if (known.status >= 500 && !signal.aborted)
    log.error({ event: 'message.failed', err: known.cause ?? known, request_id: requestId }, 'message failed')
  const code = known.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, known.detail, problemBody(known, config.PUBLIC_BASE_URL, requestId))
}
