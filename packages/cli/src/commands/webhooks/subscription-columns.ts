import type { Client } from '@wp/client'
import type { Column } from '../../output/columns.ts'

type Subscription = Awaited<ReturnType<Client['webhooks']['updateSubscription']>>

/** The fields of a subscription that a creation and a change print. */
export const subscriptionColumns: readonly Column<Subscription>[] = [
  { title: 'id', value: (subscription) => subscription.webhook_id },
  { title: 'endpoint', value: (subscription) => subscription.endpoint },
  { title: 'events', value: (subscription) => subscription.events },
  { title: 'filter', value: ({ filter }) => (filter === null ? null : JSON.stringify(filter)) },
  { title: 'rate limit', value: (subscription) => subscription.rate_limit },
  { title: 'authentication', value: ({ authentication }) => describeAuthentication(authentication) },
]

/** Names the kind of an authentication and who authenticates. */
function describeAuthentication(authentication: Subscription['authentication']): string | null {
  if (authentication === null) return null
  if (authentication.type === 'basic') return `basic ${authentication.username}`
  if (authentication.type === 'mtls') return `mtls ${authentication.subject}`
  return `oauth2 ${authentication.client_id}`
}
