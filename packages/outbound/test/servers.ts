import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterAll } from '@jest/globals'
import { createAuthority } from '@wp/testkit'
import { createOutbound, type Lookup, type Outbound, OutboundError, type OutboundOptions } from '../src/index.ts'

/** One authority a test file; every server's certificate holds for `hooks.test` unless a test says otherwise. */
export const authority = createAuthority()

interface Identity {
  cert: string
  key: string
}

/** What a server shows: a certificate of `by`, for these names, perhaps outside its time. */
export function identityFor(
  names: string[],
  { by = authority, ...limits }: { by?: typeof authority; notBefore?: Date; notAfter?: Date } = {},
): Identity {
  const { certificate, key } = by.issue({ names, ...limits })
  return { cert: certificate, key }
}

const identity = identityFor(['hooks.test', '127.0.0.1'])

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

export interface Running {
  port: number
  url: string
  /** Every socket it has accepted. */
  sockets: Socket[]
  close(): void
}

export function httpsServer(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0, as = identity } = {},
): Promise<Running> {
  return listening(createHttpsServer(as, listener), 'secureConnection', host, port)
}

/** Speaks TLS, and then whatever the test wants it to. */
export function tlsServer(onSocket: (socket: TLSSocket) => void): Promise<Running> {
  const server = createTlsServer(identity, (socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  return listening(server, 'secureConnection')
}

export function tcpServer(onSocket: (socket: Socket) => void, host?: string): Promise<Running> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  return listening(server, 'connection', host)
}

async function listening(server: Server, event: string, host = '127.0.0.1', port = 0): Promise<Running> {
  const sockets: Socket[] = []
  server.on(event, (socket: Socket) => sockets.push(socket))
  const raw: Socket[] = []
  server.on('connection', (socket: Socket) => raw.push(socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const close = () => {
    server.close()
    for (const socket of raw) socket.destroy()
  }
  closing.push(close)
  // A listening TCP server always has an AddressInfo.
  const bound = (server.address() as AddressInfo).port
  return { port: bound, url: `https://hooks.test:${bound}`, sockets, close }
}

/** A client that may call loopback, trusts the test's authority, and finds every name at 127.0.0.1. */
export function localOutbound(options: OutboundOptions = {}): Outbound {
  const outbound = createOutbound({
    allowCidrs: ['127.0.0.0/8'],
    ca: authority.certificate,
    lookup: answers('127.0.0.1'),
    ...options,
  })
  closing.push(() => outbound.close())
  return outbound
}

/** A lookup that gives the same addresses for every name. */
export function answers(...addresses: string[]): Lookup {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** What the work fails with, which must be an OutboundError. */
export async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof OutboundError) return outcome.error
  throw new Error('expected an OutboundError', { cause: outcome })
}
