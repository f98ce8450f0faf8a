import type { IncomingMessage } from 'node:http'

/** Returns true if a request has a body (RFC 9112 section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The body of a request that is passed on. */
export interface PassedBody {
  chunks: AsyncIterable<Uint8Array>
  /** True once reading has begun: the request cannot be sent again. */
  isConsumed(): boolean
}

/** Reads the body at the speed at which it is sent on. The browser's connection survives if reading ends early. */
export function passBody(request: IncomingMessage): PassedBody {
  let isConsumed = false
  async function* read(): AsyncGenerator<Uint8Array> {
    isConsumed = true
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk
  }
  return { chunks: read(), isConsumed: () => isConsumed }
}
