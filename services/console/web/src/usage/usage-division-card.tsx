import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Meter, UsageDimension } from '@wp/contracts'
import { changeSearch } from '../api/search-params.ts'
import { useApiQuery } from '../session/workspace-context.tsx'
import { formatNumber, formatPercent } from '../ui/format/format.ts'
import { Segmented } from '../ui/menu/tabs.tsx'
import { Unloaded } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import { Progress } from '../ui/values/progress.tsx'
import { meterNames, type UsageRange } from './choices.ts'
import styles from './usage.module.css'
import { rangeQuery } from './usage-range.ts'

const route = getRouteApi('/$workspaceId/usage')
const maxShownGroups = 20

const dimensions = [
  { value: 'service', label: 'Service' },
  { value: 'model', label: 'Model' },
  { value: 'agent_id', label: 'Agent' },
  { value: 'data_source_id', label: 'Data source' },
] as const satisfies readonly { value: UsageDimension; label: string }[]

/** The use of the chosen meter and range, divided by a dimension, the largest part first. */
export function UsageDivisionCard() {
  const search = route.useSearch()
  const meter: Meter = search.meter ?? 'api_calls'
  const range: UsageRange = search.range ?? '30d'
  const by: UsageDimension = search.by ?? 'service'
  const navigate = route.useNavigate()
  const { data, error, refetch } = useApiQuery(
    ['usage', 'division', { meter, range, by }],
    (api, options) =>
      api.billing.getUsage({ query: { ...rangeQuery(range, Date.now()), meter, group_by: by } }, options),
    { placeholderData: keepPreviousData },
  )
  const groups = data?.groups.toSorted((left, right) => right.quantity - left.quantity) ?? []
  const total = groups.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Card title={`${meterNames[meter]} by part`} description="Of the meter and the time range above.">
      <div className={styles.controls}>
        <Segmented
          label="Divided by"
          value={by}
          options={dimensions}
          onChange={(value) =>
            void navigate({ search: changeSearch(search, { by: value }), replace: true, resetScroll: false })
          }
        />
      </div>
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="8rem" />
      ) : total === 0 ? (
        <p>Nothing was used in this time.</p>
      ) : (
        <ul className="stack-3">
          {groups.slice(0, maxShownGroups).map(({ value, quantity }) => (
            <li key={value ?? ''}>
              <Progress
                label={value ?? 'Not divided'}
                value={quantity / total}
                text={`${formatNumber(quantity)} (${formatPercent(quantity / total, 1)})`}
              />
            </li>
          ))}
          {groups.length > maxShownGroups && (
            <li>{formatNumber(groups.length - maxShownGroups)} more are not shown.</li>
          )}
        </ul>
      )}
    </Card>
  )
}
