import { randomBytes } from 'node:crypto'
import { invalidField, testReceiverPath, type WorkspaceCaller } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import type { Context } from '../context.ts'
import { findReceiver } from '../store/receivers.ts'

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

/**
 * Validates the address of a subscription. Returns a warning if nothing can be delivered to its host now. The address
 * of a test receiver must be one of the workspace: no connection is made to it.
 * @throws Problem `invalid_endpoint` with the reason
 */
export async function checkEndpoint(
  { outbound, database, settings, now }: Pick<Context, 'outbound' | 'database' | 'settings' | 'now'>,
  caller: WorkspaceCaller,
  endpoint: string,
): Promise<string[]> {
  const token = receiverTokenOf(settings.publicBaseUrl, endpoint)
  if (token !== undefined) {
    if (caller.customerId !== undefined)
      throw invalidField('/endpoint', 'must be an address of your own', 'invalid_endpoint')
    const find = () => database.read(caller, (db) => findReceiver(db, caller.workspaceId, { token }, new Date(now())))
    if ((await find()) !== null) return []
    throw invalidField('/endpoint', 'is no test receiver of this workspace, or it has expired', 'invalid_endpoint')
  }
  try {
    const { host, addresses } = await outbound.validateUrl(endpoint)
    return addresses.length > 0 ? [] : [unreachableWarning(host)]
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected)
      throw invalidField('/endpoint', error.message, 'invalid_endpoint')
    throw error
  }
}

const unreachableWarning = (host: string): string =>
  `The name ${host} does not resolve to a public address, so deliveries fail; check the spelling of \`endpoint\` and ` +
  'the DNS records'
