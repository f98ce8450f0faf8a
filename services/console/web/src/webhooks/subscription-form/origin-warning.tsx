import { Callout } from '../../ui/message/callout.tsx'
import { isNewOrigin } from '../shared/check-endpoint.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'

/** Warns that stored credentials do not move to another origin. */
export function OriginWarning({ subscription, endpoint }: { subscription: SubscriptionView; endpoint: string }) {
  const { has_secret, headers, authentication } = subscription
  const hasCredentials = has_secret || authentication !== null || Object.keys(headers).length > 0
  if (!hasCredentials || !isNewOrigin(subscription.endpoint, endpoint)) return null
  return (
    <Callout tone="warning" title="The endpoint is at another origin">
      The secret, the custom headers and the authentication are for the old one and are removed. Rotate the secret
      afterwards, and enter the others again.
    </Callout>
  )
}
