import { invalidField } from '@wp/contracts'
import { type Outbound, OutboundError } from '@wp/outbound'

/** Validates the address of a subscription. @throws Problem `invalid_endpoint` with the reason */
export async function checkEndpoint(outbound: Outbound, endpoint: string): Promise<void> {
  try {
    await outbound.validateUrl(endpoint)
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected)
      throw invalidField('/endpoint', error.message, 'invalid_endpoint')
    throw error
  }
}
