import { formatNumber, formatPercent } from '../../ui/format/format.ts'
import { useClockTime, useSentence, useWordFormat } from '../../ui/format/format-time.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import type { Column } from '../../ui/table/data-table.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge, Stat, Stats } from '../../ui/values/values.tsx'
import { formatPeople } from '../buildings/space-words.ts'
import { commonPrefix } from '../scenarios/scenario-words.ts'
import { floorPeopleText, minutesText, type PlanDetail, sourceNames, windowText } from './plan-words.ts'
import styles from './plans.module.css'

type Floor = PlanDetail['floors'][number]

/** The key figures of a plan. */
export function PlanFigures({ plan }: { plan: PlanDetail }) {
  const { expected, meals, floors, cleaning, heating } = plan
  const closed = floors.filter(({ is_closed: isClosed }) => isClosed).length
  return (
    <Stats>
      <Stat
        label={expected?.measure === 'peak' ? 'People at once' : 'People'}
        value={expected === null ? '–' : `${expected.mean === 0 ? '' : 'About '}${formatPeople(expected.mean)}`}
        note={
          expected === null
            ? 'Nothing is known of this day'
            : expected.upper !== null && expected.upper > 0
              ? `${formatPeople(expected.lower ?? 0)} to ${formatPeople(expected.upper)} on 8 of 10 such days`
              : sourceNames[expected.source]
        }
      />
      <Stat
        label="Meals"
        value={meals === null ? '–' : formatNumber(meals.expected)}
        note={meals?.at_most == null ? undefined : `At most ${formatNumber(meals.at_most)}`}
      />
      <Stat label="Floors kept closed" value={`${closed} of ${floors.length}`} />
      <Stat
        label="Cleaning"
        value={minutesText(cleaning.minutes)}
        note={`Heating: ${formatNumber(heating.floor_hours, 0)} floor hours`}
      />
    </Stats>
  )
}

/** Says first what a plan does not know. */
export function PlanWarnings({ plan: { warnings, floors } }: { plan: PlanDetail }) {
  const shorten = shortener(floors)
  const sentence = useSentence()
  if (warnings.length === 0) return null
  return (
    <Callout tone="warning">
      {warnings.map((warning) => (
        <p key={warning}>{sentence(shorten(warning))}</p>
      ))}
    </Callout>
  )
}

/** The things to do of a plan, a sentence each. */
export const PlanActions = ({ plan: { actions, floors } }: { plan: PlanDetail }) => {
  const shorten = shortener(floors)
  const sentence = useSentence()
  return (
    <ul className={styles.actions}>
      {actions.map(({ kind, text }) => (
        <li key={kind + text}>{sentence(shorten(text))}</li>
      ))}
    </ul>
  )
}

const shortener = (floors: readonly { name: string }[]) => {
  const prefix = commonPrefix(floors.map(({ name }) => name))
  return (text: string) => (prefix === '' ? text : text.replaceAll(prefix, ''))
}

/** A whole plan: figures, things to do, floors, how the plan before did, and the arithmetic. */
export function PlanView({ plan }: { plan: PlanDetail }) {
  const clock = useClockTime()
  const { floors, previous, meals, cleaning, heating, ventilation, rest_day: restDay } = plan
  const shorten = shortener(floors)
  const sentence = useSentence()
  return (
    <Stack>
      <p className={styles.headline}>{sentence(plan.headline)}</p>
      <PlanWarnings plan={plan} />
      {restDay === null ? <PlanFigures plan={plan} /> : restDay.name !== null && <Callout>{restDay.name}</Callout>}
      <Card title="To do">
        <PlanActions plan={plan} />
      </Card>
      <Card title="Floors" isFlush>
        <DataTable
          label="Floors"
          columns={floorColumns(shorten, clock)}
          rows={floors}
          rowKey={({ space_id: id }) => id}
          empty={<p className={styles.none}>The building has no floors.</p>}
        />
      </Card>
      {previous !== null && <PreviousCard previous={previous} />}
      <Card title="How it is computed">
        <ul className={styles.actions}>
          {plan.expected !== null && <li>{sourceNames[plan.expected.source]}.</li>}
          {meals !== null && <li>Meals: {sentence(meals.arithmetic)}.</li>}
          {[
            ['Cleaning', cleaning.arithmetic],
            ['Heating', heating.arithmetic],
            ['Ventilation', ventilation.arithmetic],
          ].map(
            ([label, arithmetic]) => arithmetic && <li key={label}>{`${label}: ${sentence(shorten(arithmetic))}.`}</li>,
          )}
        </ul>
      </Card>
    </Stack>
  )
}

const floorColumns = (shorten: (text: string) => string, clock: (time: string) => string): Column<Floor>[] => [
  {
    header: 'Floor',
    cell: ({ name, is_closed: isClosed }) => (
      <>
        {shorten(name)} {isClosed && <Badge>Closed</Badge>}
      </>
    ),
  },
  { header: 'People', cell: floorPeopleText },
  {
    header: 'Fullest hour',
    cell: ({ peak, capacity }) =>
      peak === null
        ? '–'
        : `${formatPeople(peak.people)}${capacity === null ? '' : ` of ${formatNumber(capacity)}`} at ${clock(peak.start)}`,
  },
  { header: 'Heating', cell: ({ heating }) => windowText(heating, clock) },
  { header: 'Ventilation', cell: ({ ventilation }) => windowText(ventilation, clock) },
  {
    header: 'Cleaning',
    cell: ({ cleaning_minutes: minutes, expected, is_closed: isClosed }) =>
      minutes === null ? (expected === null && !isClosed ? 'as usual' : 'none') : minutesText(minutes),
  },
]

type Previous = NonNullable<PlanDetail['previous']>

/** The result of the plan before, and the quality of the last plans. */
function PreviousCard({ previous }: { previous: Previous }) {
  const formatDay = useWordFormat('longDay', 'UTC')
  const sentence = useSentence()
  const { date, conclusion, wape, wape_floors: ofFloors, plans, floors } = previous
  const shorten = shortener(floors)
  return (
    <Card
      title={`The plan before: ${formatDay(date)}`}
      description={
        wape === null
          ? undefined
          : `Mean error of the last ${plans === 1 ? 'plan' : `${plans} plans`}: ${formatPercent(wape)}${
              ofFloors === null ? '' : `, of single floors ${formatPercent(ofFloors)}`
            }.`
      }
      isFlush
    >
      <p className={styles.none}>{sentence(shorten(conclusion))}</p>
      <DataTable
        label="The plan before"
        columns={[
          { header: 'Floor', cell: ({ name }) => shorten(name) },
          { header: 'Planned', align: 'end', cell: ({ expected }) => figure(expected) },
          {
            header: 'Came',
            align: 'end',
            cell: ({ actual, suppressed }) => (suppressed ? 'withheld' : figure(actual)),
          },
          {
            header: 'Difference',
            align: 'end',
            cell: ({ error }) => (error !== null && error > 0 ? `+${figure(error)}` : figure(error)),
          },
        ]}
        rows={floors}
        rowKey={({ space_id: id }) => id}
        empty={null}
      />
    </Card>
  )
}

const figure = (value: number | null): string =>
  value === null ? '–' : `${value < 0 ? '−' : ''}${formatPeople(Math.abs(value))}`
