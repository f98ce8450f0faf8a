import { connect as connectTcp, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { errorCode } from '@wp/runtime'
import type { AddressRules } from '../address/address-rules.ts'
import type { Destination } from '../address/destination.ts'
import type { Lookup } from '../address/lookup.ts'
import type { Progress } from '../attempt-progress.ts'
import { OutboundError } from '../error.ts'
import { rejectOnAbort, startDeadline } from './deadline.ts'
import { connectReason, lookupReason } from './failure-reason.ts'
import { performTlsHandshake } from './tls-handshake.ts'
import { waitUntilReady } from './wait-until-ready.ts'

export interface Dialer {
  rules: AddressRules
  lookup: Lookup
  secureContext: SecureContext
}

export interface DialOptions {
  /** Omitted for plain TCP. The certificate must be valid for `servername`. Default context: that of the dialer. */
  tls?: { servername: string; alpn?: string[]; secureContext?: SecureContext | undefined } | undefined
  /** Limit for lookup, connection and handshake together. */
  connectTimeoutMs: number
  signal: AbortSignal
  progress: Progress
}

/**
 * Resolves a destination, validates its addresses, connects to them in turn, and performs the TLS handshake. The only
 * function that opens a socket.
 */
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
    return await performTlsHandshake(socket, tls, tls.secureContext ?? dialer.secureContext, deadline.signal)
  } catch (error) {
    socket?.destroy()
    throw error
  } finally {
    deadline.release()
  }
}

/**
 * Resolves a destination once and returns its addresses. A name is rejected if any of its addresses is not allowed:
 * otherwise a name with a public and a private address could pass the check with one and connect to the other.
 *
 * @throws OutboundError `dns`, `blocked_address`
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
  const found = await rejectOnAbort(lookup(host), signal).catch((error: unknown) => {
    if (error instanceof OutboundError) throw error
    const code = errorCode(error)
    throw new OutboundError('dns', `${host} ${lookupReason(code)}`, { code, cause: error })
  })
  if (found.length === 0) throw new OutboundError('dns', `${host} ${lookupReason('ENODATA')}`, { code: 'ENOTFOUND' })
  return found.map(({ address }) => address)
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
    // An address that drops packets may use only its share of the time.
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
  // The first address is the preferred one, so its failure is the most relevant.
  progress.address = addresses[0] ?? null
  throw failures[0]
}

function openTcp(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
  return waitUntilReady(socket, 'connect', signal, (error) => {
    const code = errorCode(error)
    return new OutboundError('connect', `${address} port ${port} ${connectReason(code)}`, { code, cause: error })
  })
}
