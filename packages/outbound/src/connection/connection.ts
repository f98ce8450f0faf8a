import type { Socket } from 'node:net'
import { Client } from 'undici'
import { OutboundError } from '../error.ts'

const [lineFeed, carriageReturn] = [0x0a, 0x0d]
const [zero, one, two] = [0x30, 0x31, 0x32]
/** Offsets of the digits of the status in `HTTP/1.1 100 Continue`. */
const [firstDigit, secondDigit, thirdDigit] = [9, 10, 11]

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

/** Idle timeout of a connection whose server declares none. Node.js servers close idle connections after 5 s. */
const idleTimeoutMs = 4_000
/** Maximum idle timeout a server can declare, and how long before it the connection is closed. */
const maxIdleMs = 60_000
const idleMarginMs = 1_000

/**
 * One connected socket to a validated address, with its HTTP/1.1 client. The client can never open another socket:
 * after the socket is closed, a new connection requires a new lookup and validation.
 */
export interface Connection {
  readonly client: Client
  readonly socket: Socket
  readonly address: string
  /** Requests to the same origin with the same client certificate share connections. */
  readonly poolKey: string
  readonly openedAt: number
  /** True from the second request on. */
  reused: boolean
  /** Prepares the connection for the response to a request that is about to be sent. */
  expectResponse(): void
}

/** Error of a request whose kept-alive connection was closed before anything was sent. */
export class StaleConnectionError extends OutboundError {
  constructor() {
    super('reset', 'the connection was closed before the request was sent')
  }
}

export function createConnection(
  socket: Socket,
  { origin, poolKey, address }: Pick<Connection, 'poolKey' | 'address'> & { origin: string },
): Connection {
  const { expectResponse } = acceptInterimResponses(socket)
  let isSocketTaken = false
  const client = new Client(origin, {
    connect: (_options, callback) => {
      const isReconnect = isSocketTaken
      isSocketTaken = true
      // Deferred, because undici loses a connection that is passed synchronously.
      queueMicrotask(() => (isReconnect ? callback(new StaleConnectionError(), null) : callback(null, socket)))
    },
    allowH2: false,
    pipelining: 1,
    useMilo: false,
    // The deadline of the exchange applies instead; a stream sets its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: maxIdleMs,
    keepAliveTimeoutThreshold: idleMarginMs,
  })
  return { client, socket, address, poolKey, openedAt: performance.now(), reused: false, expectResponse }
}

/** Closes a connection at once; a request in progress fails. */
export function destroyConnection(connection: Connection, reason: Error | null = null): void {
  connection.client.destroy(reason, () => {})
  connection.socket.destroy()
}

/** Reads the responses on a connection that carries one request at a time. */
interface InterimResponses {
  /** Call it before each request is sent. */
  expectResponse(): void
}

/**
 * Lets the HTTP client of a socket accept `100 Continue`, which a server may send although it was not asked for (RFC
 * 9110 section 15.2: a client must be able to parse such responses). undici closes the connection at a 100, but skips
 * any other interim response, so each 100 is read as a 102 (Processing). Replaces the `read` method of the socket, by
 * which undici takes all bytes.
 */
function acceptInterimResponses(socket: Socket): InterimResponses {
  const head = new HeadScanner()
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk)) head.scan(chunk)
    return chunk
  }
  return { expectResponse: () => head.start() }
}
