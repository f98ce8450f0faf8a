import { kinds, mayBeMailed } from '../catalog/kinds.ts'
import type { DeliveryChannel, DeliveryRow } from '../store/deliveries.ts'
import type { DeliveryRecipient } from './resolve-recipient.ts'

/**
 * Returns why a notification that was to be sent is not: membership, permission and settings may have changed since it
 * was planned. Undefined if it is sent.
 */
export function skipReason(
  { kind, isCritical }: Pick<DeliveryRow, 'kind' | 'isCritical'>,
  recipient: DeliveryRecipient | undefined,
  channel: DeliveryChannel,
): string | undefined {
  if (recipient === undefined) return 'not a member of the workspace'
  const entry = kinds[kind]
  if (entry === undefined || !recipient.scopes.includes(entry.scope)) return 'may not read the resource'
  if (channel === 'email' && !mayBeMailed(entry, recipient.scopes)) return 'may not change the resource'
  return isCritical || recipient.settings.categories[entry.category][channel] ? undefined : 'turned off'
}
