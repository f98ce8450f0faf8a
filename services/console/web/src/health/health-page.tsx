import { useQuery } from '@tanstack/react-query'
import type { ServiceName } from '@wp/contracts'
import { useMemo } from 'react'
import { sessionQuery } from '../session/session.ts'
import { useApi } from '../session/workspace-context.tsx'
import { Button, Icon } from '../ui/button/button.tsx'
import { formatCount } from '../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { CodeBlock } from '../ui/values/code-block.tsx'
import { StatusBadge, Time } from '../ui/values/values.tsx'
import styles from './health.module.css'

const refreshMs = 15_000

type Health = Awaited<ReturnType<ReturnType<typeof useApi>['system']['health']>>
type Service = Health['services'][number]

/** The health of every service of the platform, refreshed while the page is visible. */
export function HealthPage() {
  const api = useApi()
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.system.health({}, { signal }),
    refetchInterval: refreshMs,
    staleTime: 0,
  })
  const hasShards = new Set(data?.services.map(({ shard }) => shard)).size > 1
  const columns = useMemo(() => columnsOf(hasShards), [hasShards])
  return (
    <Page
      title="Health"
      description={`The state of the platform, checked every ${refreshMs / 1000} seconds.`}
      actions={
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {!isFetching && <Icon name="refresh" size={16} />}
          Check now
        </Button>
      }
    >
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      <Summary health={data} checkedAt={dataUpdatedAt} isStale={error !== null} />
      <Card title="Services" isFlush>
        <DataTable
          label="Services"
          columns={columns}
          rows={error && data === undefined ? [] : data?.services}
          rowKey={({ name, shard }) => `${shard}/${name}`}
          empty={<p className={styles.empty}>The services of the platform are not known.</p>}
        />
      </Card>
      {/* After the table, whose height is not known before. */}
      {(data !== undefined || error !== null) && <Endpoints />}
    </Page>
  )
}

function Summary({ health, checkedAt, isStale }: { health: Health | undefined; checkedAt: number; isStale: boolean }) {
  if (health === undefined)
    return isStale ? null : (
      <div className={styles.summary} aria-hidden="true">
        <Skeleton width="60%" />
      </div>
    )
  const down = health.services.filter(({ status }) => status === 'down')
  const isNormal = health.status === 'ok' && down.length === 0
  return (
    <div className={styles.summary} data-state={isNormal ? 'ok' : 'degraded'}>
      <span className={styles.mark}>
        <Icon name={isNormal ? 'check' : 'warning'} size={22} />
      </span>
      <div>
        <h2 role="status">{isNormal ? 'All systems normal' : summaryOf(down)}</h2>
        <p>
          {isNormal
            ? `${formatCount(health.services.length, 'service')} ${health.services.length === 1 ? 'answers' : 'answer'}.`
            : 'Other services are not affected. Requests to a service that is down are answered with 503.'}{' '}
          Last checked <Time value={new Date(checkedAt).toISOString()} />.
        </p>
      </div>
    </div>
  )
}

const summaryOf = (down: readonly Service[]): string =>
  down.length === 0
    ? 'The platform is degraded'
    : `${down.map(({ name }) => describeService(name).title).join(', ')} ${down.length === 1 ? 'is' : 'are'} down`

function columnsOf(hasShards: boolean): Column<Service>[] {
  return [
    {
      header: 'Service',
      cell: ({ name }) => (
        <span className={styles.service}>
          <strong>{describeService(name).title}</strong>
          <span>{describeService(name).description}</span>
        </span>
      ),
    },
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status === 'down' ? 'unavailable' : status} /> },
    ...(hasShards ? [{ header: 'Cell', cell: ({ shard }: Service) => <code>{shard}</code> }] : []),
    {
      header: 'Latency',
      align: 'end',
      cell: ({ latency_ms: latency }) => (latency === null ? '–' : `${Math.round(latency)} ms`),
    },
  ]
}

/** The endpoints with which a monitor can watch the platform. */
function Endpoints() {
  const baseUrl = useQuery(sessionQuery).data?.public_base_url ?? location.origin
  return (
    <Card
      title="For monitors"
      description="These endpoints need no credential. Data, assistants and MCP also have one each."
    >
      <CodeBlock
        label="Health check"
        code={`curl ${baseUrl}/v1/system/health
curl ${baseUrl}/v1/data/health
curl ${baseUrl}/v1/agents/health
curl ${baseUrl}/api/v1/mcp/health`}
      />
    </Card>
  )
}

type Description = readonly [title: string, description: string]

/** The tasks of the services in a few words, by name. */
const descriptions: Readonly<Record<ServiceName, Description>> = {
  auth: ['Authentication', 'Sign-in, API keys, roles and workspaces'],
  system: ['System', 'Workspace variables and health'],
  data: ['Data', 'Sources, syncs, records and search'],
  integrations: ['Integrations', 'Connections to other services'],
  'webhook-delivery': ['Webhooks', 'Subscriptions and deliveries'],
  solutions: ['Solutions', 'Forecasts and recommendations'],
  audit: ['Audit', 'The audit log and its exports'],
  ai: ['Assistants', 'Assistants and their runs'],
  mcp: ['MCP', 'Tools for assistants by the Model Context Protocol'],
  billing: ['Billing', 'Usage, quotas and invoices'],
  notifications: ['Notifications', 'Notifications in the console and by mail'],
  console: ['Console', 'This console'],
}

/** Returns title and description of a service; an unknown one is shown by its name. */
function describeService(name: string): { title: string; description: string } {
  const known: Readonly<Record<string, Description>> = descriptions
  const [title, description] = known[name] ?? [name, '']
  return { title, description }
}
