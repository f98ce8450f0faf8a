import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/**
 * A response that is a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export interface EventStream {
  /** Forwards a chunk. @returns false if the client does not keep up: wait for `drain` */
  write(chunk: Uint8Array): boolean
  /**
   * Ends the stream at the next event boundary, at once if no event is incomplete, and tells the client to reconnect.
   */
  end(): void
}

/** The open event streams of an edge. */
export interface OpenStreams {
  /** Registers a stream until its response closes. */
  open(response: ServerResponse): EventStream
  /**
   * Makes the stream of a response, which opens later, depend on ids: of the credential, its principal and workspaces.
   */
  dependOn(response: ServerResponse, ids: readonly string[]): void
  /** Ends the streams that depend on one of the ids: their clients reconnect, and are authorized again. */
  endDependents(ids: readonly string[]): void
  /** Ends every stream at its next event boundary, including those opened later. */
  end(): void
  size(): number
}

/** Makes the client reconnect after a second. */
const retryField = 'retry: 1000\n\n'

export function createOpenStreams(): OpenStreams {
  const streams = new Set<EventStream>()
  const dependencies = createDependencies()
  let isEnding = false
  return {
    open(response) {
      const stream = createStream(response)
      streams.add(stream)
      response.once('close', () => streams.delete(stream))
      dependencies.opened(response, stream)
      if (isEnding) stream.end()
      return stream
    },
    dependOn: dependencies.add,
    endDependents: dependencies.end,
    end() {
      isEnding = true
      for (const stream of streams) stream.end()
    },
    size: () => streams.size,
  }
}

/** A stream that may not be open yet. */
interface Dependent {
  stream?: EventStream
  hasEnded: boolean
}

function createDependencies() {
  const byResponse = new Map<ServerResponse, Dependent>()
  const byId = new Map<string, Set<Dependent>>()

  function remove(response: ServerResponse, dependent: Dependent, ids: readonly string[]): void {
    byResponse.delete(response)
    for (const id of ids) {
      byId.get(id)?.delete(dependent)
      if (byId.get(id)?.size === 0) byId.delete(id)
    }
  }

  return {
    add(response: ServerResponse, ids: readonly string[]): void {
      if (response.destroyed) return // it has closed already
      const dependent: Dependent = { hasEnded: false }
      byResponse.set(response, dependent)
      for (const id of ids) byId.set(id, (byId.get(id) ?? new Set()).add(dependent))
      response.once('close', () => remove(response, dependent, ids))
    },
    opened(response: ServerResponse, stream: EventStream): void {
      const dependent = byResponse.get(response)
      if (dependent === undefined) return
      dependent.stream = stream
      if (dependent.hasEnded) stream.end()
    },
    end(ids: readonly string[]): void {
      for (const dependent of ids.flatMap((id) => [...(byId.get(id) ?? [])])) {
        dependent.hasEnded = true
        dependent.stream?.end()
      }
    },
  }
}

/** Returns true for an event stream that can be ended between events: without content coding and content length. */
export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type'] !== undefined &&
  /^text\/event-stream(?![^\s;])/i.test(headers['content-type']) &&
  headers['content-encoding'] === undefined &&
  headers['content-length'] === undefined

function createStream(response: ServerResponse): EventStream {
  const boundary = createBoundaryScanner()
  let isEnding = false

  function finish(): void {
    if (!response.writableEnded) response.end(retryField)
  }

  return {
    write(chunk) {
      if (response.writableEnded) return true
      if (!isEnding) {
        boundary.skip(chunk)
        return response.write(chunk)
      }
      const end = boundary.find(chunk)
      const hasCapacity = response.write(end === undefined ? chunk : chunk.subarray(0, end))
      if (end !== undefined) finish()
      return hasCapacity
    },
    end() {
      isEnding = true
      if (boundary.isAtBoundary()) finish()
    },
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Finds event boundaries: an empty line, where lines end with CR LF, LF or CR. A stream starts at a boundary. */
function createBoundaryScanner() {
  let isLineEmpty = true
  let isAtBoundary = true
  let isAfterReturn = false

  function scan(byte: number): void {
    if (byte === lineFeed && isAfterReturn) {
      isAfterReturn = false // the second byte of CR LF
      return
    }
    isAfterReturn = byte === carriageReturn
    if (!isAfterReturn && byte !== lineFeed) {
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
      for (const byte of chunk) scan(byte)
    },
    /** Returns the length of the part of a chunk up to the first boundary; undefined if there is none. */
    find(chunk: Uint8Array): number | undefined {
      for (const [index, byte] of chunk.entries()) {
        scan(byte)
        if (isAtBoundary) return index + 1
      }
      return undefined
    },
  }
}
