import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The steps of an HTTP response, in order. */
export type HttpStep = 'connection' | 'head' | 'status' | 'body' | 'content'

/** One way in which an HTTP service misbehaves, at one step of its response. */
export interface HttpMisbehaviour {
  step: HttpStep
  /** The misbehaviour in words, as the documentation lists it. */
  description: string
  /** Responds once the request was received. */
  act(socket: Socket): void
}

const close = (socket: Socket) => void socket.end()
const send = (text: string) => (socket: Socket) => void socket.end(text)

function respond(status: string, type: string, body: string | Uint8Array, headers = '') {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n`
  return (socket: Socket) => {
    socket.write(head)
    socket.end(body)
  }
}

const json = (body: string) => respond('200 OK', 'application/json', body)

/** Sends a text, then repeats another without end, until the client closes the connection. */
const flood = (begin: string, repeated: string) => (socket: Socket) => {
  const block = repeated.repeat(500)
  const write = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.write(begin)
  socket.on('drain', write)
  write()
}

const chunkedHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'
const levels = 50_000

/** Every misbehaviour of the HTTP service, by name. */
export const httpMisbehaviours = {
  connectionClose: { step: 'connection', description: 'closes it without a response', act: close },
  connectionReset: { step: 'connection', description: 'resets it', act: (socket) => void socket.resetAndDestroy() },
  connectionSilence: { step: 'connection', description: 'says nothing', act: () => {} },
  headNotHttp: { step: 'head', description: 'speaks SMTP', act: send('220 test ESMTP\r\n') },
  headCut: { step: 'head', description: 'closes within the head', act: send('HTTP/1.1 200 OK\r\ncontent-ty') },
  headFlood: {
    step: 'head',
    description: 'sends header fields without end',
    act: flood('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
  },
  statusRedirect: {
    step: 'status',
    description: 'redirects to a private address',
    act: respond('302 Found', 'text/plain', '', 'location: http://169.254.169.254/\r\n'),
  },
  statusUnauthorized: {
    step: 'status',
    description: 'answers 401 and repeats the credential',
    act: respond('401 Unauthorized', 'text/plain', 'no, not token-of-the-service-123'),
  },
  statusFailure: { step: 'status', description: 'answers 500', act: respond('500 Oops', 'text/plain', 'oops') },
  statusOdd: { step: 'status', description: 'answers 999', act: respond('999 Odd', 'text/plain', 'odd') },
  bodyShort: {
    step: 'body',
    description: 'closes before its length',
    act: send('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nshort'),
  },
  bodyBrokenChunk: { step: 'body', description: 'breaks a chunk', act: send(`${chunkedHead}5\r\nabcdefgh`) },
  bodyFlood: { step: 'body', description: 'has no end', act: flood(chunkedHead, `400\r\n${'x'.repeat(0x400)}\r\n`) },
  bodyBomb: {
    step: 'body',
    description: 'unpacks to 50 MiB',
    // Compressed when it is sent, because every process of the tests loads this module.
    act(socket) {
      respond('200 OK', 'text/plain', gzipSync(Buffer.alloc(50 * 1_048_576)), 'content-encoding: gzip\r\n')(socket)
    },
  },
  bodyNoGzip: {
    step: 'body',
    description: 'is no gzip although it says so',
    act: respond('200 OK', 'text/plain', 'plain', 'content-encoding: gzip\r\n'),
  },
  contentBinary: {
    step: 'content',
    description: 'is an image',
    act: respond('200 OK', 'image/png', Buffer.from([0x89, 0x50, 0, 0xff])),
  },
  contentNotJson: { step: 'content', description: 'is no JSON although it says so', act: json('{oops') },
  contentNul: { step: 'content', description: 'has NUL in names and values', act: json('{"a\\u0000b":"c\\u0000d"}') },
  contentHalfPair: { step: 'content', description: 'has half a surrogate pair', act: json('{"a":"b\\ud800"}') },
  contentBytes: {
    step: 'content',
    description: 'is no UTF-8',
    act: respond('200 OK', 'text/plain', Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62])),
  },
  contentDeep: {
    step: 'content',
    description: 'nests 50,000 levels deep',
    act: json('['.repeat(levels) + ']'.repeat(levels)),
  },
  contentNumbers: { step: 'content', description: 'has numbers without a value', act: json('{"a":1e999,"b":-1e999}') },
  contentLong: {
    step: 'content',
    description: 'is 200,000 bytes long',
    act: json(JSON.stringify('x'.repeat(200_000))),
  },
} as const satisfies Record<string, HttpMisbehaviour>

export type HttpMisbehaviourName = keyof typeof httpMisbehaviours
