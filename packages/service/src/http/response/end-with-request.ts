import type { ServerResponse } from 'node:http'

/** The rest of a rejected body is received until nothing arrives for this time, and no longer than the total time. */
const lingerIdleMs = 2_000
const lingerTotalMs = 15_000

/**
 * Ends a written response together with its request, whose client is still sending the body. Node.js closes a
 * connection marked `close` as soon as the response ends, and a client that is still sending may then read a reset
 * instead of the response. So the rest of the body is discarded, and the connection closes if it takes too long.
 */
export function endWithRequest(response: ServerResponse): void {
  const { req: request } = response
  const abort = () => response.end(() => request.destroy())
  const idleTimer = setTimeout(abort, lingerIdleMs).unref()
  const totalTimer = setTimeout(abort, lingerTotalMs).unref()
  request.on('data', () => idleTimer.refresh()).resume()
  const finish = () => {
    clearTimeout(idleTimer)
    clearTimeout(totalTimer)
    response.end()
  }
  request.once('end', finish).once('close', finish)
}
