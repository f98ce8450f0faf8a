import { useState } from 'react'
import { formatCount, formatPercent } from '../../../ui/format/format.ts'
import { useSentence } from '../../../ui/format/format-time.ts'
import { Segmented } from '../../../ui/menu/tabs.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { dayNames, formatPeople, type Weekday } from '../../buildings/space-words.ts'
import { joinWords } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioResult } from '../workplace.ts'

type Floor = ScenarioResult['floors'][number]

/** The floors of a building above each other, and which of them are open on which weekday. */
export function FloorGrid({ result, shorten }: { result: ScenarioResult; shorten: (text: string) => string }) {
  const [when, setWhen] = useState<'planned' | 'today'>('planned')
  const { floors, weekdays, before } = result
  return (
    <Card
      title="Floors by weekday"
      description={
        when === 'planned'
          ? 'People on each floor on average, and its places. A full bar is a full floor.'
          : 'People of the plan who sit on each floor today, on average, and its places. A dash: only others may be there.'
      }
      actions={
        before && (
          <Segmented
            label="Which places"
            value={when}
            options={[
              { value: 'planned', label: 'Planned' },
              { value: 'today', label: 'Today' },
            ]}
            onChange={setWhen}
          />
        )
      }
      isFlush
    >
      <section className={styles.scroll} tabIndex={0} aria-label="Table of floors by weekday">
        <table className={styles.floorGrid}>
          <thead>
            <tr>
              <th scope="col">Floor</th>
              {weekdays.map((day) => (
                <th key={day} scope="col">
                  {dayNames[day]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...floors].reverse().map((floor) => (
              <tr key={floor.space_id}>
                <th scope="row">{shorten(floor.name)}</th>
                {weekdays.map((day) => (
                  <DayCell key={day} floor={floor} day={day} isPlanned={when === 'planned'} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Reasons floors={floors} shorten={shorten} />
    </Card>
  )
}

/** The reasons against closing floors as well; floors with the same reason together. */
function Reasons({ floors, shorten }: { floors: readonly Floor[]; shorten: (text: string) => string }) {
  const sentence = useSentence()
  const byReason = new Map<string, string[]>()
  for (const { name, kept_open_by: reason } of floors)
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), shorten(name)])
  if (byReason.size === 0) return null
  return (
    <dl className={styles.reasons} aria-label="What keeps floors open">
      {[...byReason].map(([reason, names]) => (
        <div key={reason}>
          <dt>
            {names.length === floors.length
              ? 'Why no floor can close on more days'
              : `Why ${joinWords(names, 'or')} cannot close as well`}
          </dt>
          <dd>{sentence(shorten(reason))}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A floor on a weekday: its people and places with a bar, or that it is closed. */
function DayCell({
  floor: { capacity, open, utilization_before: before, utilization_after: after },
  day,
  isPlanned,
}: {
  floor: Floor
  day: Weekday
  isPlanned: boolean
}) {
  if (isPlanned && !open.includes(day))
    return (
      <td data-closed>
        <span className={styles.cell}>Closed</span>
      </td>
    )
  const share = (isPlanned ? after : before)[day]
  if (share === undefined)
    return (
      <td>
        <span className={styles.cell}>–</span>
      </td>
    )
  return (
    <td title={`${formatPercent(share)} of ${formatCount(capacity, 'place')}`}>
      <span className={styles.cell}>
        <span>
          {formatPeople(share * capacity)} <span className="muted">of {capacity}</span>
        </span>
        <span className={styles.track} aria-hidden="true">
          <span className={styles.fill} style={{ width: `${Math.min(100, Math.round(100 * share))}%` }} />
        </span>
      </span>
    </td>
  )
}
