import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { createAuthority } from '@wp/testkit'
import { createOutbound, type Lookup, type Outbound, OutboundError, type OutboundOptions } from '../src/index.ts'

/** Certificate authority of a test file. Server certificates are for `hooks.test` unless a test sets another name. */
export const authority = createAuthority()

interface Identity {
  cert: string
  key: string
}

/** Issues a server certificate of `by` for the given names, optionally with limits of its validity. */
export function identityFor(
  names: string[],
  { by = authority, ...limits }: { by?: typeof authority; notBefore?: Date; notAfter?: Date } = {},
): Identity {
  const { certificate, key } = by.issue({ names, ...limits })
  return { cert: certificate, key }
}

const identity = identityFor(['hooks.test', '127.0.0.1'])

const cleanups: (() => void)[] = []

/** Closes the servers and clients of a test file. */
export function closeServers(): void {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
}

export interface Running {
  port: number
  url: string
  /** All accepted sockets. */
  sockets: Socket[]
  close(): void
}

export function httpsServer(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0, as = identity } = {},
): Promise<Running> {
  return listening(createHttpsServer(as, listener), 'secureConnection', host, port)
}

/** Starts a TLS server whose protocol is defined by the test. */
export function tlsServer(onSocket: (socket: TLSSocket) => void, options: TlsOptions = {}): Promise<Running> {
  const server = createTlsServer({ ...identity, ...options }, (socket) => {
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
  cleanups.push(close)
  // A listening TCP server always has an AddressInfo.
  const bound = (server.address() as AddressInfo).port
  return { port: bound, url: `https://hooks.test:${bound}`, sockets, close }
}

/** Creates a client that may call loopback, trusts the authority of the test, and resolves every name to 127.0.0.1. */
export function localOutbound(options: OutboundOptions = {}): Outbound {
  const outbound = createOutbound({
    allowCidrs: ['127.0.0.0/8'],
    ca: authority.certificate,
    lookup: fixedLookup('127.0.0.1'),
    ...options,
  })
  cleanups.push(() => outbound.close())
  return outbound
}

/** Returns a lookup with the same addresses for every name. */
export function fixedLookup(...addresses: string[]): Lookup {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** Returns the OutboundError that the work fails with. */
export async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const result = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in result && result.error instanceof OutboundError) return result.error
  throw new Error('expected an OutboundError', { cause: result })
}
