import type { IncomingMessage } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { sites } from '@wp/contracts'
import { assertionHeader, type Verifier } from '@wp/service'
import { canonicalAddress, clientAddress, isTrusted, peerAddress } from './client-address.ts'

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
