import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, classNames, Icon } from '../ui/button/button.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { localDate } from '../ui/date/local-time.ts'
import { formatName } from '../ui/format/format.ts'
import { useWordFormat } from '../ui/format/format-time.ts'
import { Skeleton } from '../ui/message/message.tsx'
import {
  type Attention,
  destinationAttention,
  occupancyAttention,
  placeAttention,
  sortAttention,
  sourceAttention,
  usageAttention,
  webhookAttention,
} from './attention.ts'
import styles from './home.module.css'
import type { Occupancy } from './occupancy/use-occupancy.ts'
import { useNewestDatasets, type WorkspaceState } from './workspace-state.ts'

/** The things that need attention, the most urgent first. Says that nothing does only after everything was read. */
export function AttentionStrip({ state, occupancy }: { state: WorkspaceState; occupancy: Occupancy }) {
  const [isOpen, setOpen] = useState(false)
  const formatDay = useWordFormat('longDay', 'UTC')
  const { webhooks, destinations, sources, usage, sites } = state
  const datasets = useNewestDatasets()
  const checks = [
    check('webhooks', webhooks),
    check('webhooks', destinations),
    check('data', sources),
    check('buildings', sites),
    check('buildings', { ...datasets, isEnabled: sites.isEnabled }),
    {
      name: 'buildings',
      isEnabled: sites.isEnabled,
      isLoading: occupancy.isLoading,
      isFailed: Boolean(occupancy.error),
      refetch: occupancy.retry,
    },
    check('use of the plan', usage),
  ].filter(({ isEnabled }) => isEnabled)
  const items = sortAttention([
    ...webhookAttention(webhooks.data?.items ?? []),
    ...destinationAttention(destinations.data?.items ?? []),
    ...sourceAttention(sources.data?.items ?? []),
    ...placeAttention(datasets.data?.items ?? []),
    ...occupancyAttention(occupancy.sites, localDate(new Date(), 'UTC'), formatDay),
    ...usageAttention(usage.data?.meters ?? [], formatName),
  ])
  const failed = checks.filter(({ isFailed }) => isFailed)
  const [first, ...others] = items
  if (checks.length === 0) return null
  return (
    <section className={classNames(styles.strip, first && styles[first.tone])} aria-label="Needs attention">
      <div className={styles.stripRow}>
        {first ? (
          <AttentionLink item={first} />
        ) : checks.some(({ isLoading }) => isLoading) ? (
          <Skeleton width="16rem" />
        ) : failed.length > 0 ? (
          <p>
            <Icon name="info" />
            Could not check {namesOf(failed)}.
          </p>
        ) : (
          <p className={styles.healthy}>
            <Icon name="check" />
            <span>
              Nothing needs attention <span className="secondary">in {namesOf(checks)}.</span>
            </span>
          </p>
        )}
        {others.length > 0 && (
          <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : `${others.length} more`}
          </Button>
        )}
        {!first && failed.length > 0 && (
          <Button size="small" onClick={() => failed.forEach(({ refetch }) => void refetch())}>
            Try again
          </Button>
        )}
      </div>
      {isOpen && others.map((item) => <AttentionLink key={item.key} item={item} />)}
    </section>
  )
}

interface CheckedQuery {
  isEnabled: boolean
  isLoading: boolean
  error: unknown
  refetch: () => unknown
}

const check = (name: string, query: CheckedQuery) => ({
  name,
  isEnabled: query.isEnabled,
  isLoading: query.isLoading,
  isFailed: query.error !== null,
  refetch: query.refetch,
})

const namesOf = (checks: readonly { name: string }[]): string => {
  const names = [...new Set(checks.map(({ name }) => name))]
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function AttentionLink({ item: { text, path, tone } }: { item: Attention }) {
  const link = { to: `/$workspaceId/${path}` as string } as LinkProps // a test opens these pages
  return (
    <Link {...link} className={styles.attention}>
      <Icon name={tone === 'danger' ? 'warning' : 'info'} />
      <span>{text}</span>
    </Link>
  )
}
