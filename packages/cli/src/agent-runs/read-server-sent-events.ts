/** An event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  id: string | undefined
  data: string
}

/** Iterates over the events of a response. An event that is cut off is left out. */
export async function* readServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let id: string | undefined
  let data: string[] = []
  for await (const line of readLines(chunks)) {
    const [, field, value = ''] = /^(\w*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') }
      ;[id, data] = [undefined, []]
    } else if (field === 'data') data.push(value)
    else if (field === 'id') id = value
  }
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
