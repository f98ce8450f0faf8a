import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { PagedTable } from '../../../ui/table/paged-table.tsx'
import styles from '../buildings.module.css'
import { useUtilizations } from '../queries.ts'
import {
  byName,
  formatPeople,
  highest,
  isCounting,
  stillCounting,
  type UtilizationRow,
  weekdayName,
} from '../space-words.ts'
import { useSpaces } from './names.ts'
import { isWithheld, shareText, sharingText, type Team, withheldAdvice, withheldText } from './team-words.ts'

/**
 * Teams with how often they are in, by name. @param props.isCompact leaves the home out, where all share it
 */
export function TeamTable({
  page,
  isCompact = false,
  empty = null,
}: Pick<ComponentProps<typeof PagedTable<Team>>, 'page'> & { isCompact?: boolean; empty?: ReactNode }) {
  const teams = page.data?.items ?? []
  const ids = teams.map(({ id }) => id)
  const figures = useUtilizations('team_ids', ids, 'range')
  const weekdays = useUtilizations('team_ids', ids, 'weekday')
  const homes = useSpaces(teams.flatMap(({ home_space_id: id }) => id ?? []))
  const rows = useMemo(() => new Map(figures.data?.items.map((row) => [row.team_id ?? '', row])), [figures.data])
  const byTeam = useMemo(() => Map.groupBy(weekdays.data?.items ?? [], (row) => row.team_id ?? ''), [weekdays.data])
  const figure = (of: (row: UtilizationRow) => string) => (team: Team) => {
    if (!figures.data) return figures.error ? '–' : <Skeleton width="3rem" />
    const row = rows.get(team.id)
    return row === undefined || isWithheld(row) ? '–' : of(row)
  }
  const membersOf = ({ id, headcount }: Team) => rows.get(id)?.headcount ?? headcount
  const figureOf = (of: (row: UtilizationRow) => number | null) => (team: Team) => {
    const row = rows.get(team.id)
    return row === undefined || isWithheld(row) ? undefined : of(row)
  }
  const figureColumn = (header: string, of: (row: UtilizationRow) => number | null, text: typeof shareText) => ({
    header,
    align: 'end' as const,
    sortBy: figureOf(of),
    cell: figure((row) => text(of(row))),
  })
  const columns: Column<Team>[] = [
    {
      header: 'Team',
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <span className={styles.name}>
          <bdi>{name}</bdi>
        </span>
      ),
    },
    {
      header: 'People',
      align: 'end',
      sortBy: membersOf,
      cell: (team) => {
        const members = membersOf(team)
        return members === null ? '–' : formatPeople(Math.round(members))
      },
    },
    {
      header: 'In on average',
      align: 'end',
      sortBy: figureOf(({ attendance }) => attendance),
      cell: (team) => {
        const row = rows.get(team.id)
        if (row && figures.data && isWithheld(row)) return withheldText(row, figures.data.meta.privacy_threshold)
        // A team without rows in the data was not counted, and nothing says that it stayed away.
        if (row?.attendance === 0) return '–'
        return figure(({ attendance, share }) =>
          attendance === null || share === null
            ? formatPeople(attendance)
            : `${formatPeople(attendance)} (${shareText(share)})`,
        )(team)
      },
    },
    {
      header: 'Busiest day',
      cell: ({ id }) => {
        if (weekdays.data === undefined) return weekdays.error ? '–' : <Skeleton width="6rem" />
        // The busiest of the days that are shown need not be the busiest.
        const row = rows.get(id)
        if (row !== undefined && isWithheld(row)) return '–'
        const best = highest(byTeam.get(id) ?? [], 'attendance')
        if (best?.weekday === undefined || !best.attendance) return '–'
        return <span className="nowrap">{`${weekdayName(best.weekday)}, ${formatPeople(best.attendance)}`}</span>
      },
    },
    figureColumn('People sharing', (row) => row.sharing_ratio, sharingText),
    figureColumn('Meet each other', (row) => row.co_attendance, shareText),
    ...(isCompact
      ? []
      : [
          {
            header: 'Home',
            sortBy: ({ home_space_id: id }: Team) => homes.get(id ?? ''),
            cell: ({ home_space_id: id }: Team) =>
              id === null ? (
                '–'
              ) : (
                <span className={styles.name}>
                  <bdi>{homes.get(id) ?? <Skeleton width="7rem" />}</bdi>
                </span>
              ),
          },
        ]),
  ]
  return (
    <>
      {figures.error && (
        <div className={styles.problem}>
          <ErrorMessage error={figures.error} onRetry={() => void figures.refetch()} />
        </div>
      )}
      <PagedTable
        noun="teams"
        columns={columns}
        page={{ ...page, data: page.data && { ...page.data, items: page.data.items.toSorted(byName) } }}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/$workspaceId/teams/$teamId', params: { teamId: id }, search: {} })}
        empty={empty}
      />
      {/* Below the rows: it is known after them, and would move them. */}
      {isCounting(figures.data) && <p className={styles.problem}>{stillCounting}</p>}
      {figures.data?.items.some(isWithheld) && (
        <p className={styles.problem}>
          Teams of which few are in on most days have no figures, so that these tell of no person. {withheldAdvice}
        </p>
      )}
    </>
  )
}
