import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** An answer that is a stream of events, while it lasts. */
export interface EventStream {
  /** Gives on what the service sent. @returns false when the client does not keep up: wait for `drain` */
  write(chunk: Uint8Array): boolean
  /** Ends at the next event boundary, which is now when no event is under way, and tells the client when to come again. */
  end(): void
}

/** The event streams an edge has open. */
export interface OpenStreams {
  /** Notes a stream until its response closes. */
  open(response: ServerResponse): EventStream
  /** Ends every stream at its next event boundary, also those that open from now on. */
  end(): void
  size(): number
}

/** Milliseconds after which a browser connects again (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const retryField = 'retry: 1000\n\n'

/** For one edge. */
export function createOpenStreams(): OpenStreams {
  const streams = new Set<EventStream>()
  let ending = false
  return {
    open(response) {
      const stream = createStream(response)
      streams.add(stream)
      response.once('close', () => streams.delete(stream))
      if (ending) stream.end()
      return stream
    },
    end() {
      ending = true
      for (const stream of streams) stream.end()
    },
    size: () => streams.size,
  }
}

/** Whether something can be added between the events of an answer: not where its bytes are counted or packed. */
export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type'] !== undefined &&
  /^text\/event-stream(?![^\s;])/i.test(headers['content-type']) &&
  headers['content-encoding'] === undefined &&
  headers['content-length'] === undefined

function createStream(response: ServerResponse): EventStream {
  const boundary = createBoundaryScanner()
  let ending = false

  function finish(): void {
    if (!response.writableEnded) response.end(retryField)
  }

  return {
    write(chunk) {
      if (response.writableEnded) return true
      if (!ending) {
        boundary.skip(chunk)
        return response.write(chunk)
      }
      const end = boundary.find(chunk)
      const isWhole = response.write(end === undefined ? chunk : chunk.subarray(0, end))
      if (end !== undefined) finish()
      return isWhole
    },
    end() {
      ending = true
      if (boundary.isAtBoundary()) finish()
    },
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Knows where an event ends: behind an empty line, whose ends are CR LF, LF or CR. A stream begins between events. */
function createBoundaryScanner() {
  let isLineEmpty = true
  let isAtBoundary = true
  let wasReturn = false

  function pass(byte: number): void {
    if (byte === lineFeed && wasReturn) {
      wasReturn = false // the second half of a line's end
      return
    }
    wasReturn = byte === carriageReturn
    if (!wasReturn && byte !== lineFeed) {
      isLineEmpty = false
      isAtBoundary = false
      return
    }
    isAtBoundary = isLineEmpty
    isLineEmpty = true
  }

  return {
    isAtBoundary: () => isAtBoundary,
    skip(chunk: Uint8Array) {
      for (const byte of chunk) pass(byte)
    },
    /** @returns the length of the part of a chunk that ends with an event */
    find(chunk: Uint8Array): number | undefined {
      for (const [index, byte] of chunk.entries()) {
        pass(byte)
        if (isAtBoundary) return index + 1
      }
      return undefined
    },
  }
}
