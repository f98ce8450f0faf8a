import { Callout } from '../ui/callout.tsx'
import { isNewOrigin } from './check-endpoint.ts'
import type { SubscriptionView } from './subscription-name.ts'

/** Warns that stored credentials do not move to another origin. */
export function OriginWarning({ subscription, endpoint }: { subscription: SubscriptionView; endpoint: string }) {
  const hasCredentials = subscription.has_secret || Object.keys(subscription.headers).length > 0
  if (!hasCredentials || !isNewOrigin(subscription.endpoint, endpoint)) return null
  return (
    <Callout tone="warning" title="The endpoint is at another origin">
      The secret and the custom headers are for the old one and are removed. Rotate the secret afterwards, and enter the
      headers again.
    </Callout>
  )
}
