import { invalidField } from '@wp/contracts'
import { type Outbound, OutboundError } from '@wp/outbound'

/**
 * Validates the address of a subscription. Returns a warning if nothing can be delivered to its host now.
 * @throws Problem `invalid_endpoint` with the reason
 */
export async function checkEndpoint(outbound: Pick<Outbound, 'validateUrl'>, endpoint: string): Promise<string[]> {
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
