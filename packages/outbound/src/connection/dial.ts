import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { errorCode } from '@wp/runtime'
import type { AddressRules } from '../address/address-rules.ts'
import type { Destination } from '../address/destination.ts'
import type { Lookup } from '../address/lookup.ts'
import { errorMessage, OutboundError } from '../error.ts'
import type { Progress } from '../http/progress.ts'
import { rejectOnAbort, startDeadline } from './deadline.ts'

export interface Dialer {
  rules: AddressRules
  lookup: Lookup
  secureContext: SecureContext
}

export interface DialOptions {
  /** Absent for plain TCP. `servername` is the name the certificate must hold for. */
  tls?: { servername: string; alpn?: string[] } | undefined
  /** For the lookup, the connection and the handshake together. */
  connectTimeoutMs: number
  signal: AbortSignal
  progress: Progress
}

/** Looks up, vets, connects to the vetted addresses in turn, and shakes hands. The only place that opens a socket. */
export async function dial(dialer: Dialer, destination: Destination, options: DialOptions): Promise<Socket> {
  const { progress, tls } = options
  const deadline = startDeadline(options.connectTimeoutMs, `connecting to ${destination.host}`, options.signal)
  let socket: Socket | undefined
  try {
    progress.enter('dns')
    const addresses = await resolveAllowedAddresses(dialer, destination, deadline.signal)
    progress.enter('connect')
    socket = await connectToFirst(
      addresses,
      destination.port,
      { ...options, signal: deadline.signal },
      deadline.remainingMs,
    )
    if (tls === undefined) return socket
    progress.enter('tls')
    return await performTlsHandshake(socket, tls, dialer.secureContext, deadline.signal)
  } catch (error) {
    socket?.destroy()
    throw error
  } finally {
    deadline.release()
  }
}

/**
 * The addresses of a destination, looked up once, all of them public. One that is not makes the whole name refused:
 * a name with a public and a private address is a way to be let in by the first and to arrive at the second.
 * Throws an OutboundError of kind `dns` or `blocked_address`.
 */
export async function resolveAllowedAddresses(
  { rules, lookup }: Pick<Dialer, 'rules' | 'lookup'>,
  { host, literal }: Destination,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = literal === undefined ? await resolveAddresses(lookup, host, signal) : [literal]
  for (const address of addresses) {
    const range = rules(address)
    if (range === undefined) continue
    const subject = literal === undefined ? `${host} resolves to an address that` : host
    throw new OutboundError('blocked_address', `${subject} is not allowed (${range})`, { blocked: { address, range } })
  }
  return addresses
}

async function resolveAddresses(lookup: Lookup, host: string, signal: AbortSignal): Promise<string[]> {
  const answer = await rejectOnAbort(lookup(host), signal).catch((error: unknown) => {
    if (error instanceof OutboundError) throw error
    const code = errorCode(error)
    throw new OutboundError('dns', `${host} does not resolve${code ? ` (${code})` : ''}`, { code, cause: error })
  })
  if (answer.length === 0) throw new OutboundError('dns', `${host} does not resolve`, { code: 'ENOTFOUND' })
  return answer.map(({ address }) => address)
}

async function connectToFirst(
  addresses: readonly string[],
  port: number,
  { signal, progress }: DialOptions,
  remainingMs: () => number,
): Promise<Socket> {
  const failures: unknown[] = []
  for (const [index, address] of addresses.entries()) {
    progress.address = address
    // An address that swallows packets may use up its share of the time, not that of the addresses after it.
    const addressDeadline = startDeadline(
      remainingMs() / (addresses.length - index),
      `connecting to ${address} port ${port}`,
      signal,
    )
    try {
      return await openTcp(address, port, addressDeadline.signal)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      failures.push(error)
    } finally {
      addressDeadline.release()
    }
  }
  // The first is the one the receiver prefers, so its failure says most.
  progress.address = addresses[0] ?? null
  throw failures[0]
}

function openTcp(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
  return waitUntilReady(socket, 'connect', signal, (error) => {
    const code = errorCode(error)
    const message = `${address} port ${port} did not accept a connection${code ? ` (${code})` : ''}`
    return new OutboundError('connect', message, { code, cause: error })
  })
}

/** `rejectUnauthorized` is said outright, so that no environment variable turns verification off. */
async function performTlsHandshake(
  socket: Socket,
  { servername, alpn }: { servername: string; alpn?: string[] },
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    secureContext,
    rejectUnauthorized: true,
    // RFC 6066: addresses are never sent as the server's name; the certificate is checked against `host` then.
    host: servername,
    ...(isIP(servername) === 0 ? { servername } : {}),
    ...(alpn ? { ALPNProtocols: alpn } : {}),
  })
  return waitUntilReady(secure, 'secureConnect', signal, (error) => {
    const message = `no trusted TLS connection to ${servername}: ${errorMessage(error)}`
    return new OutboundError('tls', message, { code: errorCode(error), cause: error })
  })
}

/** Waits for the socket to be ready; destroys it otherwise. Leaves an error listener, as a socket must never lack one. */
function waitUntilReady<S extends Socket>(
  socket: S,
  ready: string,
  signal: AbortSignal,
  describe: (error: unknown) => OutboundError,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>()
  const abort = () => {
    socket.destroy()
    reject(signal.reason)
  }
  const fail = (error: unknown) => reject(describe(error))
  socket.on('error', fail)
  socket.once('close', () => fail(new Error('the connection was closed')))
  socket.once(ready, () => resolve(socket))
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  return promise.finally(() => signal.removeEventListener('abort', abort))
}
