import { usePortal } from '../../session/portal-context.ts'
import { useBaseUrl } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { formatDuration, formatNumber } from '../../ui/format/format.ts'
import { Card, Cluster, Columns } from '../../ui/page/page.tsx'
import { CodeBlock, Snippets } from '../../ui/values/code-block.tsx'
import { Badge, DefinitionList, Id, Stat, Stats, Time, TimeNote } from '../../ui/values/values.tsx'
import { describeAuthentication } from '../shared/authentication-choice.ts'
import { formatFilter } from '../shared/filter-text.ts'
import { pollSnippet, verifySnippets } from '../shared/snippets.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'
import { formatPending, SuccessRate } from './subscription-table.tsx'

/** The settings of a subscription, and what its receiver needs. */
export function SubscriptionDetails({ subscription }: { subscription: SubscriptionView }) {
  const { webhook_id, delivery, has_secret, headers, ordering, metadata, external_id } = subscription
  const { filter, authentication, rate_limit, customer_id, customer_filter } = subscription
  const isPortal = usePortal() !== undefined
  const baseUrl = useBaseUrl()
  return (
    <Columns>
      <Card title="Settings">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={webhook_id} />],
            ['Events', <EventBadges key="events" events={subscription.events} />],
            filter !== null && ['Filter', <CodeBlock key="filter" code={formatFilter(filter)} label="Filter" wrap />],
            ['Signing secret', has_secret ? 'Set' : 'None: deliveries are not signed'],
            [
              'Custom headers',
              Object.keys(headers).length === 0 ? (
                'None'
              ) : (
                <Cluster key="headers">
                  {Object.keys(headers).map((name) => (
                    <code key={name}>{name}</code>
                  ))}
                </Cluster>
              ),
            ],
            authentication !== null && ['Authentication', describeAuthentication(authentication)],
            authentication?.type === 'mtls' && [
              'Certificate expires',
              <Time key="expires" value={authentication.expires_at} format="absolute" />,
            ],
            rate_limit !== null && ['Rate limit', `${rate_limit} attempts per second`],
            ['Order', ordering === 'strict' ? 'Strict: one at a time' : 'Best effort'],
            customer_id !== null && !isPortal && ['Customer', <Id key="customer" value={customer_id} />],
            customer_filter !== null && [
              'Filter of the customer',
              <CodeBlock
                key="customer filter"
                code={formatFilter(customer_filter)}
                label="Filter of the customer"
                wrap
              />,
            ],
            external_id !== null && ['External id', <Id key="external" value={external_id} />],
            ...Object.entries(metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
            ['Created', <Time key="created" value={subscription.created_at} format="absolute" />],
            ['Changed', <Time key="changed" value={subscription.updated_at} format="absolute" />],
          ]}
        />
      </Card>
      {delivery === 'poll' ? (
        <Card
          title="Poll the deliveries"
          description="Send next_cursor with the next request to acknowledge the items."
        >
          <CodeBlock code={pollSnippet(baseUrl, webhook_id)} label="curl" wrap />
        </Card>
      ) : (
        <Card title="Verify the signature" description="Before anything else, over the raw body.">
          <Snippets snippets={verifySnippets()} label="Verify the signature" />
        </Card>
      )}
    </Columns>
  )
}

function EventBadges({ events }: { events: readonly string[] }) {
  if (events.includes('*')) return <Badge>all events</Badge>
  return (
    <Cluster>
      {events.map((kind) => (
        <Link key={kind} to="/$workspaceId/webhooks/events" search={{ kind }}>
          <code>{kind}</code>
        </Link>
      ))}
    </Cluster>
  )
}

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms))

/** The figures of a subscription. */
export function SubscriptionStats({ subscription: { stats, filter } }: { subscription: SubscriptionView }) {
  return (
    <Stats>
      <Stat
        label={`Success, ${stats.window_hours} h`}
        value={<SuccessRate rate={stats.success_rate} />}
        note="of the attempts"
      />
      <Stat
        label="Duration, median"
        value={duration(stats.latency_p50_ms)}
        note={
          stats.latency_p95_ms === null
            ? `nothing ${stats.success_rate === null ? 'sent' : 'answered'} yet`
            : `95 % within ${duration(stats.latency_p95_ms)}`
        }
      />
      <Stat
        label="Pending"
        value={formatPending(stats.pending)}
        note={<TimeNote label="next attempt" value={stats.next_attempt_at} none="nothing waits for a retry" />}
      />
      <Stat
        label="Delivered"
        value={formatNumber(Math.max(0, stats.delivered))}
        note={<TimeNote label="last" value={stats.last_success_at} none="nothing yet" />}
      />
      {filter !== null && (
        <Stat label="Filtered" value={formatNumber(stats.filtered)} note="events that did not match" />
      )}
      <Stat
        label="Failed for good"
        value={formatNumber(Math.max(0, stats.failed))}
        note={<TimeNote label="last failure" value={stats.last_failure_at} none="none yet" />}
      />
    </Stats>
  )
}
