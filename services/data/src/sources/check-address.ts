import { type HttpConfig, invalidField } from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import type { Context } from '../context.ts'

/**
 * Validates the address of an http source when a user sets it. Its host is checked again at every connection.
 * @throws Problem `validation_failed` with the reason
 */
export async function checkAddress(
  { outbound, protocols }: Pick<Context, 'outbound' | 'protocols'>,
  { url }: HttpConfig,
): Promise<void> {
  try {
    await outbound.validateUrl(url, { protocols })
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected) throw invalidField('/config/url', error.message)
    throw error
  }
}
