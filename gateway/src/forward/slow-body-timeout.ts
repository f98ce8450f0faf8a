import type { IncomingMessage } from 'node:http'

/** How fast a body must come. */
export interface SlowBodyPolicy {
  /** Milliseconds over which its speed is judged, again and again. */
  windowMs: number
  bytesPerSecond: number
}

/** How often one looks within a window. */
const checksPerWindow = 10

/**
 * Watches a body that is still arriving: one that stands still, or drips, holds a connection of ours and one of a service
 * at the cost of next to nothing. Time in which nobody reads, because the service does not, is not the client's.
 * @returns ends the watch
 */
export function watchSlowBody(
  request: IncomingMessage,
  { windowMs, bytesPerSecond }: SlowBodyPolicy,
  onTooSlow: () => void,
): () => void {
  const { socket } = request
  const minBytes = (bytesPerSecond * windowMs) / 1000
  let bytesBefore = socket.bytesRead
  let checks = 0

  function check(): void {
    if (request.complete || request.destroyed) return void stop()
    if (request.isPaused()) return
    checks += 1
    if (checks < checksPerWindow) return
    const arrived = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    checks = 0
    if (arrived >= minBytes) return
    stop()
    onTooSlow()
  }

  const timer = setInterval(check, windowMs / checksPerWindow)
  const stop = () => clearInterval(timer)
  return stop
}
