import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../session/workspace-context.tsx'
import { Callout } from '../ui/message/callout.tsx'
import { ErrorMessage } from '../ui/message/error-message.tsx'
import { Skeleton } from '../ui/message/skeleton.tsx'
import { Card, Columns, Page } from '../ui/page/page.tsx'
import { MetersCard } from './meters-card.tsx'
import { QuotasCard } from './quotas-card.tsx'
import { UsageChartCard } from './usage-chart-card.tsx'
import { UsageDivisionCard } from './usage-division-card.tsx'
import { UsageTabs } from './usage-tabs.tsx'

/** Shows the usage of the workspace: meters of the period, their course, and quotas. */
export function UsagePage() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'usage', 'limits'],
    queryFn: ({ signal }) => api.system.usage({}, { signal }),
  })
  return (
    <Page title="Usage" description="What the workspace uses, and how much of it the plan includes.">
      <UsageTabs />
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data && data.warnings.length > 0 && (
        <Callout tone="warning" title="Some figures are missing">
          <ul>
            {data.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Callout>
      )}
      {data === undefined && !error && (
        <Card title="This period">
          <Skeleton height="12rem" />
        </Card>
      )}
      {data && data.meters.length > 0 && <MetersCard meters={data.meters} />}
      {/* The card above has its height only then, and would move these. */}
      {(data || error) && (
        <>
          <UsageChartCard />
          <Columns>
            <UsageDivisionCard />
            {data && <QuotasCard quotas={data.quotas} />}
          </Columns>
        </>
      )}
    </Page>
  )
}
