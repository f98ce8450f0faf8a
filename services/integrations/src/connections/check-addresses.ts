import { type FieldError, validationProblem } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import type { ConfiguredAddress, ProviderAccess } from '../providers/provider.ts'

/**
 * Checks addresses when a user enters them. Every connection checks them again.
 * @throws Problem `validation_failed` with the reason
 */
export async function checkAddresses(access: ProviderAccess, addresses: readonly ConfiguredAddress[]): Promise<void> {
  const errors = (await Promise.all(addresses.map((address) => addressError(access, address)))).filter(
    (error) => error !== undefined,
  )
  if (errors.length > 0) throw validationProblem(errors)
}

async function addressError(
  { outbound, protocols }: ProviderAccess,
  address: ConfiguredAddress,
): Promise<FieldError | undefined> {
  try {
    if ('url' in address) await outbound.validateUrl(address.url, { protocols })
    else await outbound.validateHost(address)
    return undefined
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected)
      return { pointer: address.pointer, detail: error.message }
    throw error
  }
}
