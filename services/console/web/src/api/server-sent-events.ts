/** One server-sent event: its id, if it has one, and its data. */
export interface ServerSentEvent {
  id: string | undefined
  data: string
}

/**
 * Reads server-sent events from the body of a response, in the format of the HTML standard. Comments, names of events
 * and retry times are ignored. An event that was cut off by the end of the body is not reported.
 */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A carriage return at the end may be the first half of a line break.
      const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest
      const blocks = complete.replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = (blocks.pop() ?? '') + rest.slice(complete.length)
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const data: string[] = []
  let id: string | undefined
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') }
}
