import type { Socket } from 'node:net'

/** Reads the responses on a connection that carries one request at a time. */
export interface InterimResponses {
  /** Call it before each request is sent. */
  expectResponse(): void
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]
const [zero, one, two] = [0x30, 0x31, 0x32]
/** Offsets of the digits of the status in `HTTP/1.1 100 Continue`. */
const [firstDigit, secondDigit, thirdDigit] = [9, 10, 11]

/**
 * Lets the HTTP client of a socket accept `100 Continue`, which a server may send although it was not asked for (RFC
 * 9110 section 15.2: a client must be able to parse such responses). undici closes the connection at a 100, but skips
 * any other interim response, so each 100 is read as a 102 (Processing). Replaces the `read` method of the socket, by
 * which undici takes all bytes.
 */
export function acceptInterimResponses(socket: Socket): InterimResponses {
  const head = new HeadScanner()
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk)) head.scan(chunk)
    return chunk
  }
  return { expectResponse: () => head.start() }
}

/** Follows the heads of responses up to the final one, however the bytes are split into chunks. */
class HeadScanner {
  #isInHead = false
  /** Position in the head; bytes before the status line are not counted. */
  #offset = 0
  #status = [0, 0]
  /** Line feeds since the last other byte but a carriage return: two end the head. */
  #lineFeeds = 0

  start(): void {
    this.#isInHead = true
    this.#offset = 0
    this.#lineFeeds = 0
  }

  scan(chunk: Buffer): void {
    for (let index = 0; this.#isInHead && index < chunk.length; index++) {
      const byte = chunk[index] ?? 0
      if (this.#offset === 0 && (byte === lineFeed || byte === carriageReturn)) continue
      if (this.#offset === firstDigit) this.#status[0] = byte
      if (this.#offset === secondDigit) this.#status[1] = byte
      if (this.#offset === thirdDigit && byte === zero && this.#isStatus10()) chunk[index] = two
      this.#offset++
      this.#readLineEnd(byte)
    }
  }

  #isStatus10(): boolean {
    return this.#status[0] === one && this.#status[1] === zero
  }

  /** After an interim response follows another head. */
  #readLineEnd(byte: number): void {
    if (byte === carriageReturn) return
    this.#lineFeeds = byte === lineFeed ? this.#lineFeeds + 1 : 0
    if (this.#lineFeeds < 2) return
    const isInterim = this.#status[0] === one
    this.start()
    this.#isInHead = isInterim
  }
}
