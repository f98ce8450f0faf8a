import type { Duplex } from 'node:stream'
import { OutboundError } from '../error.ts'
import { createMessageValidator } from './postgres-messages.ts'

/** How much may come of a server that a user chose. */
export interface PostgresParsingGuard {
  /** So many bytes may come from now on, whatever came before. */
  allowBytes(bytes: number): void
}

/**
 * Guards a connection of `pg`, before it connects, against servers that only look like PostgreSQL. Its parser goes round
 * for ever in a text that has no end, and throws at other messages that are none, out of a listener where nothing but
 * the end of the process could catch it; and it gathers what is sent for as long as that comes. Each ends the
 * connection here, and so the statement under way.
 *
 * @param connection `client.connection`
 * @param bytes that may come until more are allowed
 */
export function guardPostgresParsing(connection: object, bytes: number): PostgresParsingGuard {
  let allowed = bytes
  let remaining = bytes
  const listenable = connection as { attachListeners?: (stream: Duplex) => void } // what `pg` calls with each stream
  const attach = listenable.attachListeners
  if (typeof attach !== 'function') throw new Error('this version of pg reads its streams in another way')

  function guardStream(stream: Duplex): Duplex {
    const on = stream.on.bind(stream)
    const isSound = createMessageValidator()
    return Object.assign(stream, {
      on(event: string, listener: (...parts: unknown[]) => void) {
        on(event, event === 'data' ? (chunk: Buffer) => consumeChunk(stream, chunk, isSound, listener) : listener)
        return stream
      },
    })
  }

  function consumeChunk(
    stream: Duplex,
    chunk: Buffer,
    isSound: (chunk: Buffer) => boolean,
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
      if (!isSound(chunk)) throw new Error('a message is not what its kind and length say')
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
