import type { IncomingMessage } from 'node:http'

/** Returns a header field that occurs once. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
