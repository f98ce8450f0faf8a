import type { Duplex } from 'node:stream'
import { OutboundError } from './error.ts'
import { messageChecker } from './postgres-messages.ts'

/** How much may come of a server that a user chose. */
export interface ParsingGuard {
  /** So many bytes may come from now on, whatever came before. */
  allow(bytes: number): void
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
export function guardParsing(connection: object, bytes: number): ParsingGuard {
  let allowed = bytes
  let left = bytes
  const listening = connection as { attachListeners?: (stream: Duplex) => void } // what `pg` calls with each stream
  const attach = listening.attachListeners
  if (typeof attach !== 'function') throw new Error('this version of pg reads its streams in another way')

  function contained(stream: Duplex): Duplex {
    const on = stream.on.bind(stream)
    const isSound = messageChecker()
    return Object.assign(stream, {
      on(event: string, listener: (...parts: unknown[]) => void) {
        on(event, event === 'data' ? (chunk: Buffer) => take(stream, chunk, isSound, listener) : listener)
        return stream
      },
    })
  }

  function take(
    stream: Duplex,
    chunk: Buffer,
    isSound: (chunk: Buffer) => boolean,
    parse: (chunk: Buffer) => void,
  ): void {
    if (stream.destroyed) return
    left -= chunk.length
    if (left < 0) {
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

  listening.attachListeners = (stream) => attach.call(connection, contained(stream))
  return {
    allow(some) {
      allowed = some
      left = some
    },
  }
}
