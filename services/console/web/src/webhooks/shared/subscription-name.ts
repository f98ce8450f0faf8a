import type { Subscription } from '@wp/contracts'
import type { z } from 'zod'

export type SubscriptionView = z.infer<typeof Subscription>

/** Returns what to call a subscription: its description, or else host and path of its endpoint. */
export function nameOfSubscription({
  description,
  endpoint,
  webhook_id,
}: Pick<SubscriptionView, 'description' | 'endpoint' | 'webhook_id'>): string {
  if (description) return description
  if (isReceiverAddress(endpoint)) return 'Test receiver'
  const url = endpoint === null ? null : URL.parse(endpoint)
  return url === null ? webhook_id : `${url.host}${url.pathname === '/' ? '' : url.pathname}`
}

/** Returns where the deliveries of a subscription go. */
export const destinationOf = ({ delivery, endpoint }: Pick<SubscriptionView, 'delivery' | 'endpoint'>): string =>
  delivery === 'poll'
    ? 'Polled by the receiver'
    : isReceiverAddress(endpoint)
      ? 'A test receiver of the platform'
      : (endpoint ?? '')

/** Returns true for the address of a test receiver of the platform. */
export const isReceiverAddress = (endpoint: string | null | undefined): boolean =>
  endpoint != null && /\/v1\/webhooks\/receive\?token=[\w.-]+$/.test(endpoint)
