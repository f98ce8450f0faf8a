/** A field or the end of an event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventRecord {
  /** Undefined if the event has no id of its own. */
  id: string | undefined
  event: string
  data: string
  /** The reconnection time of the server, in milliseconds. */
  retryMs: number | undefined
}

const byteOrderMark = '\uFEFF'
const nothing = ''
/** A longer line is refused, so that a stream without line breaks cannot fill the memory. */
const maxLineChars = 64 * 1024 * 1024

/**
 * Iterates over the events of a stream. An event that is cut off is left out. An event without data is returned with
 * empty data if it has a reconnection time.
 */
export async function* readServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventRecord> {
  let id: string | undefined
  let event = 'message'
  let data: string[] = []
  let retryMs: number | undefined
  for await (const line of readLines(chunks)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0 || retryMs !== undefined) yield { id, event, data: data.join('\n'), retryMs }
      ;[id, event, data, retryMs] = [undefined, 'message', [], undefined]
    } else if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value)
  }
}

/** Lines end with LF, CRLF or CR. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  let skipped = byteOrderMark
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    if (text.startsWith(skipped)) text = text.slice(skipped.length)
    skipped = text.endsWith('\r') ? '\n' : nothing // the LF of a CRLF may be in the next chunk
    const lines = (rest + text).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > maxLineChars)
      throw new RangeError(`a line of the stream has more than ${maxLineChars} characters`)
    yield* lines
  }
}

/** Iterates over the chunks of a body. Safari has no iterator of streams. @param read default: reads the next chunk */
export async function* readChunks(
  body: ReadableStream<Uint8Array> | null,
  read: (reader: ReadableStreamDefaultReader<Uint8Array>) => ReturnType<typeof reader.read> = (reader) => reader.read(),
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    while (true) {
      const next = await read(reader)
      if (next.done) return
      yield next.value
    }
  } finally {
    reader.cancel().catch(() => undefined) // fails if the connection is already closed
  }
}
