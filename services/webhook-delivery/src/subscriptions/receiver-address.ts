import { randomBytes } from 'node:crypto'
import { testReceiverPath } from '@wp/contracts'

/** Creates the token of a receiver. It begins with its cell, by which the edge forwards requests. */
export const createReceiverToken = (shard: string): string => `${shard}.${randomBytes(24).toString('base64url')}`

/** Returns the address of a receiver. @param publicBaseUrl without a trailing slash */
export const receiverAddress = (publicBaseUrl: string, token: string): string =>
  `${publicBaseUrl}${testReceiverPath}?token=${token}`

/**
 * Returns the token of an endpoint that is exactly the address of a receiver of this platform; undefined for any other
 * address.
 */
export function receiverTokenOf(publicBaseUrl: string, endpoint: string): string | undefined {
  const prefix = receiverAddress(publicBaseUrl, '')
  const token = endpoint.startsWith(prefix) ? endpoint.slice(prefix.length) : ''
  return /^[a-z0-9]{1,16}\.[\w-]{32}$/.test(token) ? token : undefined
}
