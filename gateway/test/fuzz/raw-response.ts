/** A response parsed from bytes. */
export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Parses the final response, after informational ones.
 * @throws if it is malformed, or incomplete and not a stream of events
 */
export function parseRawResponse(received: string, isHead: boolean): RawResponse {
  const start = received.replace(/^(?:HTTP\/1\.1 1\d\d [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/, '')
  const end = start.indexOf('\r\n\r\n')
  const [line = '', ...fields] = start.slice(0, end).split('\r\n')
  const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? []
  if (code === undefined || end < 0) throw new Error(`no response: ${JSON.stringify(received)}`)
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const content = start.slice(end + 4)
  const status = Number(code)
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  if (isHead || isStream || status === 204 || status === 304) return { status, headers, body: content }
  return { status, headers, body: Buffer.from(unframed(content, headers), 'latin1').toString() }
}

function unframed(content: string, headers: Record<string, string>): string {
  if (headers['transfer-encoding'] !== undefined) return joinChunks(content)
  if (headers['content-length'] !== undefined && Number(headers['content-length']) !== content.length)
    throw new Error(`body of ${content.length} bytes instead of ${headers['content-length']}`)
  return content
}

function joinChunks(content: string): string {
  let [joined, at] = ['', 0]
  for (;;) {
    const line = content.indexOf('\r\n', at)
    const size = Number.parseInt(content.slice(at, line), 16)
    if (line < 0 || Number.isNaN(size)) throw new Error('malformed chunk')
    if (size === 0) return joined
    joined += content.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
