import type { IncomingMessage } from 'node:http'

/** Minimum speed of a request body. */
export interface SlowBodyPolicy {
  /** The speed is measured over consecutive windows of this length. */
  windowMs: number
  bytesPerSecond: number
}

const checksPerWindow = 10

/**
 * Watches a body that is still arriving. A client that stalls or drips occupies a connection to the edge and one to a
 * service at almost no cost. Time in which the edge does not read, because the service does not, does not count.
 *
 * @param onTooSlow called once if the body falls below the minimum speed
 * @returns a function that stops watching
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
    const received = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    checks = 0
    if (received >= minBytes) return
    stop()
    onTooSlow()
  }

  const timer = setInterval(check, windowMs / checksPerWindow)
  const stop = () => clearInterval(timer)
  return stop
}
