import type { IncomingMessage } from 'node:http'

/** How fast a body must come. */
export interface ArrivalPolicy {
  /** Milliseconds over which its speed is judged, again and again. */
  windowMs: number
  bytesPerSecond: number
}

/** How often one looks within a window. */
const looks = 10

/**
 * Watches a body that is still arriving: one that stands still, or drips, holds a connection of ours and one of a service
 * at the cost of next to nothing. Time in which nobody reads, because the service does not, is not the client's.
 * @returns ends the watch
 */
export function watchArrival(
  request: IncomingMessage,
  { windowMs, bytesPerSecond }: ArrivalPolicy,
  onTooSlow: () => void,
): () => void {
  const { socket } = request
  const least = (bytesPerSecond * windowMs) / 1000
  let bytesBefore = socket.bytesRead
  let waited = 0

  function look(): void {
    if (request.complete || request.destroyed) return void stop()
    if (request.isPaused()) return
    waited += 1
    if (waited < looks) return
    const arrived = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    waited = 0
    if (arrived >= least) return
    stop()
    onTooSlow()
  }

  const timer = setInterval(look, windowMs / looks)
  const stop = () => clearInterval(timer)
  return stop
}
