import { connect as connectTcp, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { errorCode } from '@wp/runtime'
import type { AddressRules } from '../address/address-rules.ts'
import type { Destination } from '../address/destination.ts'
import { isLocalhost, type Lookup } from '../address/lookup.ts'
import type { Progress } from '../attempt-progress.ts'
import { type BlockedHost, blockedHostError, OutboundError } from '../error.ts'
import { rejectOnAbort, startDeadline } from './deadline.ts'
import { connectReason } from './failure-reason.ts'
import { performTlsHandshake, waitUntilReady } from './tls-handshake.ts'

export interface Dialer {
  rules: AddressRules
  lookup: Lookup
  secureContext: SecureContext
  /** Called for each host that is not called, for the operator's log. */
  onBlocked?: ((blocked: BlockedHost) => void) | undefined
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
    socket = await connectToFirst(addresses, destination, { ...options, signal: deadline.signal }, deadline.remainingMs)
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
 * @throws OutboundError `blocked_address`
 */
export async function resolveAllowedAddresses(
  { rules, lookup, onBlocked }: Pick<Dialer, 'rules' | 'lookup' | 'onBlocked'>,
  { host, literal }: Destination,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const block = (address: string | null, reason: string, cause?: unknown) => {
    onBlocked?.({ host, address, reason })
    const isAddressRejected = literal !== undefined || isLocalhost(host)
    return blockedHostError({ host, address, reason }, { cause, isAddressRejected })
  }
  const addresses =
    literal !== undefined
      ? [literal]
      : await resolveAddresses(lookup, host, signal).catch((error: unknown) => {
          throw error instanceof OutboundError ? error : block(null, unresolvedReason(error), error)
        })
  if (addresses.length === 0) throw block(null, unresolvedReason(undefined))
  for (const address of addresses) {
    const range = rules(address)
    if (range !== undefined) throw block(address, range)
  }
  return addresses
}

/**
 * Rejects an address that a user enters in place of a name, and `localhost`. The message can give the reason, because
 * no name is resolved.
 *
 * @throws OutboundError `blocked_address`
 */
export function requireAllowedLiteral(rules: AddressRules, { host, literal }: Destination): void {
  const address = literal ?? (isLocalhost(host) ? '127.0.0.1' : undefined)
  const reason = address === undefined ? undefined : rules(address)
  if (address === undefined || reason === undefined) return
  throw new OutboundError('blocked_address', `${host} is not allowed (${reason})`, {
    blocked: { host, address, reason },
    isAddressRejected: true,
  })
}

async function resolveAddresses(lookup: Lookup, host: string, signal: AbortSignal): Promise<string[]> {
  const found = await rejectOnAbort(lookup(host), signal)
  return found.map(({ address }) => address)
}

const unresolvedReason = (error: unknown): string => `does not resolve (${errorCode(error) ?? 'no address'})`

async function connectToFirst(
  addresses: readonly string[],
  { host, port }: Destination,
  { signal, progress }: DialOptions,
  remainingMs: () => number,
): Promise<Socket> {
  const failures: unknown[] = []
  for (const [index, address] of addresses.entries()) {
    progress.address = address
    // An address that drops packets may use only its share of the time.
    const addressDeadline = startDeadline(
      remainingMs() / (addresses.length - index),
      `connecting to ${host} port ${port}`,
      signal,
    )
    try {
      return await openTcp({ host, port }, address, addressDeadline.signal)
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

/** @param destination named in the message instead of the address, which is not for users */
function openTcp({ host, port }: Pick<Destination, 'host' | 'port'>, address: string, signal: AbortSignal) {
  const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
  return waitUntilReady(socket, 'connect', signal, (error) => {
    const code = errorCode(error)
    return new OutboundError('connect', `${host} port ${port} ${connectReason(code)}`, { code, cause: error })
  })
}
