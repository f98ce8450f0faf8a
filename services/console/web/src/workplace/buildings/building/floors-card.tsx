import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { FloorStack, type FloorStackRow } from '../../../ui/chart/floor-stack.tsx'
import { useSpacesIn, useUtilization, type Weeks } from '../queries.ts'
import { QueryCard } from '../query-card.tsx'
import { formatPeople, levelsOf, type Space, type UtilizationRow, weekdayName } from '../space-words.ts'

/** The spaces directly in a space side by side: floors from the top to the ground. */
export function FloorsCard({ space, weeks }: { space: Space; weeks: Weeks }) {
  const inside = useSpacesIn(space.id)
  const figures = useUtilization({ space_id: space.id }, 'range', weeks, true)
  const query = {
    data: inside.data && figures.data && { ...inside.data, rows: figures.data.items, meta: figures.data.meta },
    error: inside.error ?? figures.error,
    refetch: (inside.error ? inside : figures).refetch as () => Promise<never>, // only called, never awaited for a result
  }
  const rowLink = (spaceId: string) =>
    ({ to: '/$workspaceId/buildings/$spaceId', params: { spaceId }, search: { weeks } }) as const
  return (
    <QueryCard
      title={insideTitle(space, inside.data?.spaces)}
      description="Monday to Friday."
      query={query}
      height="12rem"
    >
      {({ spaces, rows, isComplete }) =>
        spaces.length === 0 ? (
          <p>Nothing has been entered inside this {space.kind}.</p>
        ) : (
          <>
            <FloorStack
              title={insideTitle(space, spaces)}
              subject="Name"
              {...stackOf(spaces, rows, rowLink)}
              format={formatPeople}
            />
            {!isComplete && (
              <ButtonLink size="small" to="/$workspaceId/buildings">
                More than 100: see the list
              </ButtonLink>
            )}
          </>
        )
      }
    </QueryCard>
  )
}

/** Names what a space has inside; a site may have floors and no building. */
function insideTitle({ kind }: Pick<Space, 'kind'>, inside: readonly Space[] = []): string {
  const hasFloors = inside.length > 0 && inside.every((space) => space.kind === 'floor')
  return kind === 'building' || hasFloors ? 'Floors side by side' : kind === 'site' ? 'Buildings' : 'Inside'
}

/** Orders floors as they lie: the highest first. Their figures stand beside them. */
function stackOf(
  spaces: readonly Space[],
  rows: readonly UtilizationRow[],
  linkOf: (spaceId: string) => FloorStackRow['link'] & object,
) {
  const { levels, ...labels } = levelsOf(rows.filter(({ space_id: id }) => spaces.some((space) => space.id === id)))
  const figures = new Map(levels.map((row) => [row.space_id, row]))
  const ordered = spaces.every(({ kind }) => kind === 'floor') ? spaces.toReversed() : spaces
  const stack = ordered.map(({ id, name, effective }): FloorStackRow => {
    const row = figures.get(id)
    return {
      key: id,
      name,
      link: linkOf(id),
      capacity: row?.capacity ?? effective.capacity,
      average: row?.average ?? null,
      peak: row?.peak ?? null,
      ...(row?.average == null && { note: noteOf(row) }),
    }
  })
  return { rows: stack, ...labels }
}

const noteOf = (row: UtilizationRow | undefined): string =>
  row === undefined ? 'Not measured' : row.suppressed ? 'Withheld to protect people' : 'Not measured by hour'

/** The weekdays of a space. */
export function WeekdayBars({ rows }: { rows: readonly UtilizationRow[] }) {
  const { levels, ...labels } = levelsOf(rows)
  const bars = levels.flatMap((row) =>
    row.weekday === undefined || (!row.average && !row.peak && !row.suppressed)
      ? []
      : [
          {
            key: row.weekday,
            name: weekdayName(row.weekday),
            capacity: row.capacity,
            average: row.average,
            peak: row.peak,
            ...(row.average === null && { note: noteOf(row) }),
          },
        ],
  )
  if (bars.length === 0) return <p>{noteOf(levels[0])}.</p>
  return <FloorStack title="By weekday" subject="Weekday" rows={bars} format={formatPeople} {...labels} />
}
