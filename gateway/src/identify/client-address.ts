import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net'
import { sites } from '@wp/contracts'
import { assertionHeader, type Verifier } from '@wp/service'

/** Parses a comma-separated list of addresses and CIDR ranges. Returns undefined if one of them is neither. */
export function parseNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [address = '', prefix, ...more] = entry.split('/')
    const version = more.length > 0 || address.includes('%') ? 0 : isIP(address)
    const bits = version === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (version === 0 || !(length >= 0 && length <= bits)) return undefined
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/**
 * Returns the address of the client: the rightmost hop that is not a trusted proxy. Hops left of it are claims of the
 * client. If a hop is not an address, the trusted proxy that wrote it is the best that is known.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  let address = peerAddress(request.socket)
  if (!isTrusted(address, trusted)) return address
  const claimed = request.headers['x-forwarded-for']
  if (typeof claimed !== 'string') return address
  for (const hop of fromTheRight(claimed)) {
    const next = addressOf(hop)
    if (next === undefined) return address
    address = next
    if (!isTrusted(address, trusted)) return address
  }
  return address
}

/** Returns the address at the other end of a connection, in its canonical form. */
export function peerAddress({ remoteAddress = '' }: Socket): string {
  return canonicalAddress(remoteAddress) ?? remoteAddress
}

/** Yields the elements of a list from the right; empty ones are skipped (RFC 9110 section 5.6.1). */
function* fromTheRight(list: string): Generator<string> {
  let end = list.length
  while (end > 0) {
    const comma = list.lastIndexOf(',', end - 1)
    const element = list.slice(comma + 1, end).trim()
    if (element !== '') yield element
    end = comma
  }
}

/** Parses a hop, with the port that some proxies add: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function addressOf(hop: string): string | undefined {
  if (isIP(hop) !== 0) return canonicalAddress(hop)
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  if (ipv6 !== undefined) return isIP(ipv6) === 6 ? canonicalAddress(ipv6) : undefined
  return ipv4 === undefined ? undefined : canonicalAddress(ipv4)
}

/** Returns true for the address of a trusted proxy. */
export const isTrusted = (address: string, trusted: BlockList): boolean => {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Returns the canonical form of an address (RFC 5952), without zone; IPv4-mapped IPv6 (RFC 4291) as IPv4. Undefined if
 * the text is not an address.
 */
export function canonicalAddress(address: string): string | undefined {
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  if (address.startsWith('::ffff:') && isIP(address.slice(7)) === 4) return address.slice(7) // the form Linux reports
  const spelled = new SocketAddress({ address, family: 'ipv6' }).address
  return spelled.startsWith('::ffff:') && spelled.includes('.') ? spelled.slice(7) : spelled
}

/**
 * Creates a function that returns the address of the client of an API request. A site calls the API for its users: it
 * signs an assertion for the edge, which then believes the address in its `X-Forwarded-For` header. From anyone else,
 * such a header counts only behind a trusted proxy.
 *
 * @param verifier of assertions for the edge
 */
export function createClientAddressOf(
  trusted: BlockList,
  verifier: Verifier,
): (request: IncomingMessage) => string | Promise<string> {
  const siteServices = new Set<string>(sites.map(({ service }) => service))
  /** Addresses of clients that are connected directly. Those behind a trusted proxy differ by request. */
  const directClients = new WeakMap<Socket, string>()

  function addressOf(request: IncomingMessage): string {
    const { socket } = request
    const known = directClients.get(socket)
    if (known !== undefined) return known
    const peer = peerAddress(socket)
    if (isTrusted(peer, trusted)) return clientAddress(request, trusted)
    directClients.set(socket, peer)
    return peer
  }

  async function signedAddress(token: string, request: IncomingMessage): Promise<string> {
    const assertion = await verifier.verify(token)
    const forwarded = request.headers['x-forwarded-for']
    const isSite = assertion !== undefined && siteServices.has(assertion.issuer)
    const named = isSite && typeof forwarded === 'string' ? canonicalAddress(forwarded) : undefined
    return named ?? addressOf(request)
  }

  return (request) => {
    const token = request.headers[assertionHeader]
    return typeof token === 'string' ? signedAddress(token, request) : addressOf(request)
  }
}
