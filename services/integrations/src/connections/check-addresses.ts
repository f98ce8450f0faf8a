import type { FieldError } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import { refuse } from '../providers/field-errors.ts'
import type { ChosenAddress, Outside } from '../providers/provider.ts'

/**
 * Judges addresses at the moment a user enters them; a name is judged again at every connection.
 * @throws Problem `validation_failed` with the reason
 */
export async function checkAddresses(outside: Outside, addresses: readonly ChosenAddress[]): Promise<void> {
  const errors = (await Promise.all(addresses.map((address) => flawOf(outside, address)))).filter(
    (error) => error !== undefined,
  )
  if (errors.length > 0) throw refuse(errors)
}

async function flawOf({ outbound, protocols }: Outside, address: ChosenAddress): Promise<FieldError | undefined> {
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
