import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { classNames } from '../../ui/button/button.tsx'
import { formatNumber, formatPercent } from '../../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { type ListPage, PagedTable } from '../../ui/table/paged-table.tsx'
import styles from './buildings.module.css'
import {
  byName,
  formatPeople,
  highest,
  isCounting,
  kindName,
  type Space,
  type UtilizationPage,
  type UtilizationRow,
  weekdayName,
} from './space-words.ts'

type Figures = UseQueryResult<UtilizationPage>

/** Spaces with how full they are: as a tree, or one below the other. */
export function SpaceTable({
  page,
  figures,
  weekdays,
  empty,
}: {
  page: Pick<UseQueryResult, 'error' | 'refetch'> & { data: (ListPage<Space> & { isTree: boolean }) | undefined }
  figures: Figures
  weekdays: Figures
  empty: React.ReactNode
}) {
  const { data } = page
  const rows = useMemo(() => new Map(figures.data?.items.map((row) => [row.space_id ?? '', row])), [figures.data])
  const busiest = useMemo(
    () => Map.groupBy(weekdays.data?.items ?? [], ({ space_id: id }) => id ?? ''),
    [weekdays.data],
  )
  const sorted = data && { ...data, items: data.isTree ? inTreeOrder(data.items) : data.items }
  const of = (query: Figures, cell: React.ReactNode, width = '3rem') =>
    query.data || query.error ? cell : <Skeleton width={width} />
  const columns: Column<Space>[] = [
    { header: 'Name', cell: (space) => <Name space={space} isTree={data?.isTree ?? false} /> },
    {
      header: 'Full on average',
      cell: ({ id }) => (
        <span className={styles.share}>
          {of(figures, <Fullness row={rows.get(id)} isPartial={isCounting(figures.data)} />, '12.5rem')}
        </span>
      ),
    },
    {
      header: 'Busiest weekday',
      cell: ({ id }) => (
        <span className={styles.weekday}>
          {of(weekdays, isWithheld(rows.get(id)) ? '–' : busiestDay(busiest.get(id) ?? []), '7rem')}
        </span>
      ),
    },
    {
      header: 'At its fullest',
      align: 'end',
      cell: ({ id }) => of(figures, shareAtPeak(rows.get(id))),
    },
    { header: 'People a day', align: 'end', cell: ({ id }) => of(figures, formatPeople(rows.get(id)?.attendance)) },
    {
      header: 'Places',
      align: 'end',
      cell: ({ id, effective }) => {
        const places = rows.get(id)?.capacity ?? effective.capacity
        return of(figures, places === null ? '–' : formatNumber(places))
      },
    },
  ]
  return (
    <>
      {figures.error && (
        <div className={styles.problem}>
          <ErrorMessage error={figures.error} onRetry={() => void figures.refetch()} />
        </div>
      )}
      <PagedTable
        noun="spaces"
        columns={columns}
        page={{ data: sorted, error: page.error, refetch: page.refetch }}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({
          to: '/$workspaceId/buildings/$spaceId',
          params: { spaceId: id },
          search: {},
        })}
        empty={empty}
      />
    </>
  )
}

function Name({ space: { name, kind, path }, isTree }: { space: Space; isTree: boolean }) {
  return (
    <span
      className={classNames(styles.name, isTree && styles.inTree)}
      style={isTree ? { paddingInlineStart: `${path.length * 1.25}rem` } : {}}
    >
      <bdi className={path.length === 0 ? 'strong' : undefined}>{name}</bdi>
      <small>
        {isTree
          ? kind === 'floor'
            ? ''
            : kindName(kind)
          : [kindName(kind), path.map((around) => around.name).join(' / ')].filter(Boolean).join(' · ')}
      </small>
    </span>
  )
}

function Fullness({ row, isPartial }: { row: UtilizationRow | undefined; isPartial: boolean }) {
  if (isPartial && row?.share == null) return 'Still counting'
  if (row === undefined) return 'Not measured'
  if (row.share === null) return isWithheld(row) ? 'Withheld to protect people' : '–'
  return (
    <span className={styles.fullness}>
      <svg className={styles.track} width="100%" height={8} aria-hidden="true">
        <rect className={styles.whole} width="100%" height={8} rx={2} />
        <rect className={styles.part} width={`${100 * Math.min(1, row.share)}%`} height={8} rx={2} />
      </svg>
      {formatPercent(row.share)}
    </span>
  )
}

/** The most people at once, as a share of the places. */
const shareAtPeak = (row: UtilizationRow | undefined): string =>
  row?.peak == null || !row.capacity ? '–' : formatPercent(row.peak / row.capacity)

/** Returns true if fewer than half of the days are shown: those would be the full ones. */
const isWithheld = (row: UtilizationRow | undefined): boolean =>
  row?.suppressed === true && row.share === null && row.attendance === null

/** Describes the fullest weekday: `Tuesdays, 58 %`. */
function busiestDay(rows: readonly UtilizationRow[]): string {
  const best = highest(rows, 'share')
  if (best?.weekday !== undefined && best.share) return `${weekdayName(best.weekday)}s, ${formatPercent(best.share)}`
  const busiest = highest(rows, 'attendance')
  return busiest?.weekday !== undefined && busiest.attendance
    ? `${weekdayName(busiest.weekday)}s, ${formatPeople(busiest.attendance)} people`
    : '–'
}

/** Orders spaces such that what lies in a space follows it. */
export function inTreeOrder(spaces: readonly Space[]): Space[] {
  const known = new Set(spaces.map(({ id }) => id))
  const inside = Map.groupBy(spaces, ({ parent_id: id }) => (id !== null && known.has(id) ? id : null))
  const follow = (id: string | null): Space[] =>
    (inside.get(id) ?? []).toSorted(byName).flatMap((space) => [space, ...follow(space.id)])
  return follow(null)
}
