import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { OutboundError } from '../../error.ts'
import { createMessageValidator } from './postgres-messages.ts'

/**
 * Stream of a connected socket for `pg`, which passes on valid messages only, and no more bytes than allowed. The
 * parser of `pg` loops forever on an unterminated string and buffers without limit.
 */
export class GuardedStream extends Duplex {
  readonly #socket: Socket
  readonly #isValidMessage = createMessageValidator()
  #allowedBytes: number
  #remainingBytes: number

  /** @param allowedBytes number of bytes accepted until `allowBytes` is called */
  constructor(socket: Socket, allowedBytes: number) {
    super()
    this.#socket = socket
    this.#allowedBytes = allowedBytes
    this.#remainingBytes = allowedBytes
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  /** Resets the number of bytes accepted from now on. */
  allowBytes(bytes: number): void {
    this.#allowedBytes = bytes
    this.#remainingBytes = bytes
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return
    this.#remainingBytes -= chunk.length
    if (this.#remainingBytes < 0) {
      const limit = this.#allowedBytes / 1_048_576
      this.destroy(new OutboundError('too_large', `The server sent more than ${limit} MiB at a time`))
    } else if (!this.#isValidMessage(chunk)) {
      this.destroy(new OutboundError('protocol', 'The server does not answer like PostgreSQL'))
    } else if (!this.push(chunk)) this.#socket.pause()
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback)
  }

  /** `pg` writes the messages of a statement together; they must not become a packet each. */
  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback)
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy()
    callback(error)
  }

  /** Reports the existing connection: `pg` calls `connect` itself. */
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  /** Set by the guarded client when it connected. */
  setNoDelay(): this {
    return this
  }
}
