/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Reads the last answer of what came, past interim ones. @throws where it is none, or not whole */
export function readRaw(said: string, isHead: boolean): RawAnswer {
  const start = said.replace(/^(?:HTTP\/1\.1 1\d\d [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/, '')
  const end = start.indexOf('\r\n\r\n')
  const [line = '', ...fields] = start.slice(0, end).split('\r\n')
  const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? []
  if (code === undefined || end < 0) throw new Error(`no answer: ${JSON.stringify(said)}`)
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const content = start.slice(end + 4)
  const status = Number(code)
  if (isHead || status === 204 || status === 304) return { status, headers, body: content }
  return { status, headers, body: Buffer.from(unframed(content, headers), 'latin1').toString() }
}

function unframed(content: string, headers: Record<string, string>): string {
  if (headers['transfer-encoding'] !== undefined) return joinChunks(content)
  if (headers['content-length'] !== undefined && Number(headers['content-length']) !== content.length)
    throw new Error(`a body of ${content.length} bytes where ${headers['content-length']} were promised`)
  return content
}

function joinChunks(content: string): string {
  let [joined, at] = ['', 0]
  for (;;) {
    const line = content.indexOf('\r\n', at)
    const size = Number.parseInt(content.slice(at, line), 16)
    if (line < 0 || Number.isNaN(size)) throw new Error('a broken chunk')
    if (size === 0) return joined
    joined += content.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
