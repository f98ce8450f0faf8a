import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { formatRounded } from '../../../ui/chart/round-value.ts'
import { FilterBar, TextFilter } from '../../../ui/filter/filter-bar.tsx'
import { formatCount, formatPercent } from '../../../ui/format/format.ts'
import { Card } from '../../../ui/page/page.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Badge } from '../../../ui/values/values.tsx'
import type { Peak } from '../chart-data.ts'
import { formatError } from '../forecast-words.ts'
import { maxComparedGroups } from '../groups.ts'
import type { Group } from '../rank-groups.ts'
import type { RunInput } from '../run-input.ts'
import styles from './forecast.module.css'
import { StepTime } from './step-time.tsx'

const route = getRouteApi('/$workspaceId/forecasts/$runId')

const searchableFrom = 10

/** All groups of a run. The selected ones are drawn in the chart; the selection is in the address. */
export function Comparison({
  groups,
  selected,
  input,
}: {
  groups: readonly Group[]
  selected: readonly string[]
  input: RunInput
}) {
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const [text, setText] = useState<string>()
  const [showsAll, setShowsAll] = useState(false)
  const shown = useMemo(
    () => groups.filter(({ name }) => name.toLowerCase().includes((text ?? '').toLowerCase())),
    [groups, text],
  )
  const hasCapacity = groups.some(({ peak }) => peak?.share !== null && peak?.share !== undefined)
  const columns: Column<Group>[] = useMemo(() => comparisonColumns(hasCapacity, input), [hasCapacity, input])
  const select = (keys: ReadonlySet<string>) => {
    const next = [...keys].slice(-maxComparedGroups)
    const { groups: _groups, ...others } = search
    void navigate({
      search: next.length === 0 ? others : { ...others, groups: next },
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <Card
      title="Groups"
      description={`${orderText(input, hasCapacity)} Select up to ${maxComparedGroups} to compare them in the chart.`}
      isFlush
    >
      {groups.length > searchableFrom && (
        <FilterBar isLocal>
          <TextFilter label="Find a group" value={text} onChange={setText} isSearch />
        </FilterBar>
      )}
      <DataTable
        label="Groups"
        columns={columns}
        rows={showsAll || text !== undefined ? shown : shown.slice(0, searchableFrom)}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
        selection={{ keys: new Set(selected), onChange: select, noun: 'group', actions: null }}
        empty={<p style={{ padding: 'var(--space-4)' }}>No group has this name.</p>}
        footer={
          !showsAll &&
          text === undefined &&
          shown.length > searchableFrom && (
            <div className={styles.footer}>
              <Button size="small" onClick={() => setShowsAll(true)}>
                Show all {formatCount(shown.length, 'group')}
              </Button>
            </div>
          )
        }
      />
      <span className="visually-hidden" role="status">
        {text === undefined ? '' : formatCount(shown.length, 'group')}
      </span>
    </Card>
  )
}

const orderText = ({ workplace }: RunInput, hasCapacity: boolean): string => {
  if (workplace !== undefined) return 'What lies in a building or team adds up to it.'
  return hasCapacity ? 'Fullest first.' : 'Highest peak first.'
}

function comparisonColumns(hasCapacity: boolean, { timezone, frequency }: RunInput): Column<Group>[] {
  return [
    {
      header: 'Group',
      cell: ({ name, series }) => (
        <>
          {name} {series.error && <Badge tone="warning">no forecast</Badge>}
        </>
      ),
    },
    { header: 'Peak', align: 'end', cell: ({ peak }) => (peak === null ? '–' : formatRounded(peak.value)) },
    ...(hasCapacity
      ? [
          {
            header: 'Share of capacity',
            cell: ({ peak }: Group) =>
              peak === null || peak.share === null ? '–' : <ShareBar share={peak.share} upper={shareOfUpper(peak)} />,
          },
        ]
      : []),
    {
      header: 'When',
      cell: ({ peak }) =>
        peak === null ? '–' : <StepTime value={peak.time} timeZone={timezone} frequency={frequency} />,
    },
    { header: 'Against the past', align: 'end', cell: ({ improvement }) => <Improvement share={improvement} /> },
    {
      header: 'Typically off by',
      align: 'end',
      cell: ({ series: { accuracy } }) =>
        accuracy === null || accuracy.wape === null ? '–' : formatError(accuracy.wape),
    },
  ]
}

const shareOfUpper = ({ share, value, upper }: Peak): number | null =>
  share === null || upper === null || value === 0 ? null : (upper * share) / value

function Improvement({ share }: { share: number | null }) {
  if (share === null) return '–'
  const percent = formatPercent(Math.abs(share))
  return (
    <Badge tone={share >= 0 ? 'success' : 'warning'}>{share >= 0 ? `${percent} better` : `${percent} worse`}</Badge>
  )
}

const warningShare = 0.9

/** A share of the capacity as a bar; the lighter part reaches to the upper bound of the interval. */
function ShareBar({ share, upper }: { share: number; upper: number | null }) {
  const width = (value: number) => `${Math.round(100 * Math.min(1, Math.max(0, value)))}%`
  const tone = share >= 1 ? 'danger' : share >= warningShare ? 'warning' : 'accent'
  return (
    <span className={styles.share}>
      <span className={styles.shareTrack} data-tone={tone} aria-hidden="true">
        {upper !== null && <span className={styles.shareUpper} style={{ width: width(upper) }} />}
        <span className={styles.shareBar} style={{ width: width(share) }} />
      </span>
      <span className={styles.shareText}>{formatPercent(share)}</span>
    </span>
  )
}
