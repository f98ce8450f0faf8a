import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { sites } from '@wp/contracts'
import { assertionHeader, type Verifier } from '@wp/service'
import { canonicalAddress, clientAddress } from './client-address.ts'

/**
 * Creates a function that returns the address of the client of an API request. A site calls the API for its users: it
 * signs an assertion for the edge, which then believes the address in its `X-Forwarded-For` header. From anyone else, such
 * a header counts only behind a trusted proxy.
 *
 * @param verifier of assertions for the edge
 */
export function createClientAddressOf(
  trusted: BlockList,
  verifier: Verifier,
): (request: IncomingMessage) => string | Promise<string> {
  const siteServices = new Set<string>(sites.map(({ service }) => service))

  async function signedAddress(token: string, request: IncomingMessage): Promise<string> {
    const assertion = await verifier.verify(token)
    const forwarded = request.headers['x-forwarded-for']
    const isSite = assertion !== undefined && siteServices.has(assertion.issuer)
    const named = isSite && typeof forwarded === 'string' ? canonicalAddress(forwarded) : undefined
    return named ?? clientAddress(request, trusted)
  }

  return (request) => {
    const token = request.headers[assertionHeader]
    return typeof token === 'string' ? signedAddress(token, request) : clientAddress(request, trusted)
  }
}
