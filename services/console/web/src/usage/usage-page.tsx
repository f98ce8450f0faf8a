import type { MeterEntry, UsageEntry } from '@wp/contracts'
import { useApiQuery } from '../session/workspace-context.tsx'
import { AreaTabs } from '../shell/area-tabs.tsx'
import { formatBytes, formatName, formatNumber } from '../ui/format/format.ts'
import { Callout, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { Card, Columns, Page } from '../ui/page/page.tsx'
import { Progress } from '../ui/values/progress.tsx'
import { meterNames } from './choices.ts'
import { PeriodText } from './period-text.tsx'
import { limitTone, nameOfQuota } from './quota-limits.ts'
import styles from './usage.module.css'
import { UsageChartCard } from './usage-chart-card.tsx'
import { UsageDivisionCard } from './usage-division-card.tsx'

/** Shows the usage of the workspace: meters of the period, their course, and quotas. */
export function UsagePage() {
  const { data, error, refetch } = useApiQuery(['usage', 'limits'], (api, options) => api.system.usage({}, options))
  return (
    <Page title="Usage" description="What the workspace uses, and how much of it the plan includes.">
      <AreaTabs area="Usage" />
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

/** Quotas of what the workspace may have at once, those nearest to their limit first. */
const QuotasCard = ({ quotas }: { quotas: readonly UsageEntry[] }) => (
  <Card title="Quotas" description="What the workspace may have at the same time.">
    <ul className="stack-3">
      {quotas
        .toSorted((left, right) => shareOf(right) - shareOf(left))
        .map((entry) => (
          <li key={`${entry.quota} ${entry.kind}`}>
            <Quota {...entry} />
          </li>
        ))}
    </ul>
  </Card>
)

const shareOf = ({ current, limit }: UsageEntry): number =>
  current === null || limit === null ? -1 : limit === 0 ? Number(current > 0) : current / limit

function Quota(entry: UsageEntry) {
  const { quota, kind, unit, current, limit } = entry
  const label = kind === null ? nameOfQuota(quota) : `Waiting jobs: ${formatName(kind).toLowerCase()}`
  const format = unit === 'bytes' ? formatBytes : formatNumber
  if (current === null || limit === null)
    return (
      <div className={styles.unlimited}>
        <span>{label}</span>
        <span>Not available</span>
      </div>
    )
  return (
    <Progress
      label={label}
      value={shareOf(entry)}
      text={`${format(current)} of ${format(limit)}`}
      tone={limitTone(current, limit)}
    />
  )
}

const atLimit = { refuse: 'Further use is refused', bill: 'Further use is billed' } as const

/** The meters of the current period with what the plan includes. */
function MetersCard({ meters }: { meters: readonly MeterEntry[] }) {
  const period = meters[0]?.period
  return (
    <Card title="This period" description={period && <PeriodText start={period.start} end={period.end} />}>
      <ul className={styles.meters}>
        {meters.map((entry) => (
          <li key={entry.meter}>
            <Meter {...entry} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Meter({ meter, quantity, included, action }: MeterEntry) {
  if (included === null)
    return (
      <div className={styles.unlimited}>
        <span>{meterNames[meter]}</span>
        <span>{formatNumber(quantity)}, unlimited</span>
      </div>
    )
  const tone = limitTone(quantity, included)
  return (
    <>
      <Progress
        label={meterNames[meter]}
        value={included === 0 ? Number(quantity > 0) : quantity / included}
        text={`${formatNumber(quantity)} of ${formatNumber(included)}`}
        tone={tone}
      />
      {tone !== 'accent' && (
        <p className={styles.note} data-tone={tone}>
          {tone === 'danger' ? 'The limit is reached. ' : 'The limit is near. '}
          {atLimit[action]}.
        </p>
      )}
    </>
  )
}
