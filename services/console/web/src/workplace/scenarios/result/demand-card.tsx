import { formatPercent } from '../../../ui/format/format.ts'
import { Card } from '../../../ui/page/page.tsx'
import { dayNames, formatPeople } from '../../buildings/space-words.ts'
import { formatKept } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioResult } from '../workplace.ts'

/** People, places and risk by weekday, and the effect of the changes apart from that of the plan. */
export function DemandCard({ result }: { result: ScenarioResult }) {
  const { weekdays, floors, before, demand_changed: changed, allocation_changed: planned, risk } = result
  const isChanged = JSON.stringify(before?.people) !== JSON.stringify(changed?.people)
  const people = (stage: typeof before, day: (typeof weekdays)[number]) => {
    const count = stage?.people[day]
    return count === undefined ? '–' : formatPeople(count)
  }
  const stages = [
    ['Today', before],
    ...(isChanged ? ([['Changed people, floors of today', changed]] as const) : []),
    ['As planned', planned],
  ] as const
  return (
    <Card title="People and risk by weekday">
      <table className={styles.plain}>
        <thead>
          <tr>
            <th scope="col">Weekday</th>
            <th scope="col" className={styles.end}>
              People, forecast
            </th>
            {isChanged && (
              <th scope="col" className={styles.end}>
                People, changed
              </th>
            )}
            <th scope="col" className={styles.end}>
              Places open
            </th>
            <th scope="col" className={styles.end}>
              Everyone has a place, of days
            </th>
          </tr>
        </thead>
        <tbody>
          {weekdays.map((day) => (
            <tr key={day}>
              <th scope="row">{dayNames[day]}</th>
              <td className={styles.end}>{people(before ?? planned, day)}</td>
              {isChanged && <td className={styles.end}>{people(changed, day)}</td>}
              <td className={styles.end}>
                {floors.reduce((sum, { open, capacity }) => sum + (open.includes(day) ? capacity : 0), 0)}
              </td>
              <td className={styles.end}>{keptText(risk?.by_weekday[day])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={styles.plain}>
        <thead>
          <tr>
            <td />
            <th scope="col" className={styles.end}>
              Open places taken by people of the plan
            </th>
            <th scope="col" className={styles.end}>
              Everyone has a place, of days
            </th>
            <th scope="col" className={styles.end}>
              People without a place, on average
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map(
            ([label, stage]) =>
              stage && (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td className={styles.end}>{stage.utilization === null ? '–' : formatPercent(stage.utilization)}</td>
                  <td className={styles.end}>{formatKept(stage.service_level)}</td>
                  <td className={styles.end}>{formatPeople(stage.people_without_place)}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
    </Card>
  )
}

const keptText = (risk: number | undefined): string => (risk === undefined ? '–' : formatKept(1 - risk))
