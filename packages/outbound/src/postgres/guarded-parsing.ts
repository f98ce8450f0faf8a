import type { Duplex } from 'node:stream'
import { OutboundError } from '../error.ts'
import { createMessageValidator } from './postgres-messages.ts'

/** Limits the data accepted from a server chosen by a user. */
export interface PostgresParsingGuard {
  /** Resets the number of bytes accepted from now on. */
  allowBytes(bytes: number): void
}

/**
 * Protects a `pg` connection, before it connects, against servers that imitate PostgreSQL. The parser of `pg` loops
 * forever on an unterminated string, throws on other malformed messages inside an event listener, where the error would
 * end the process, and buffers without limit. Each of these closes the connection instead, and fails the statement.
 *
 * @param connection `client.connection`
 * @param bytes number of bytes accepted until `allowBytes` is called
 */
export function guardPostgresParsing(connection: object, bytes: number): PostgresParsingGuard {
  let allowed = bytes
  let remaining = bytes
  const listenable = connection as { attachListeners?: (stream: Duplex) => void } // called by `pg` with each stream
  const attach = listenable.attachListeners
  if (typeof attach !== 'function')
    throw new Error('unsupported version of pg: it does not read streams with attachListeners')

  function guardStream(stream: Duplex): Duplex {
    const on = stream.on.bind(stream)
    const isValidMessage = createMessageValidator()
    return Object.assign(stream, {
      on(event: string, listener: (...parts: unknown[]) => void) {
        on(
          event,
          event === 'data' ? (chunk: Buffer) => consumeChunk(stream, chunk, isValidMessage, listener) : listener,
        )
        return stream
      },
    })
  }

  function consumeChunk(
    stream: Duplex,
    chunk: Buffer,
    isValidMessage: (chunk: Buffer) => boolean,
    parse: (chunk: Buffer) => void,
  ): void {
    if (stream.destroyed) return
    remaining -= chunk.length
    if (remaining < 0) {
      const message = `The server sent more than ${allowed / 1_048_576} MiB at a time`
      stream.destroy(new OutboundError('too_large', message))
      return
    }
    try {
      if (!isValidMessage(chunk)) throw new Error('malformed message')
      parse(chunk)
    } catch (cause) {
      stream.destroy(new OutboundError('protocol', 'The server does not answer like PostgreSQL', { cause }))
    }
  }

  listenable.attachListeners = (stream) => attach.call(connection, guardStream(stream))
  return {
    allowBytes(some) {
      allowed = some
      remaining = some
    },
  }
}
