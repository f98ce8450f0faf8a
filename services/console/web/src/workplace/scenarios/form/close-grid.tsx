import { dayNames, type Weekday } from '../../buildings/space-words.ts'
import styles from '../scenarios.module.css'
import type { Space } from '../workplace.ts'

/** Floors and weekdays as switches: which floors are closed on which days. */
export function CloseGrid({
  floors,
  days,
  closed,
  nameOf,
  onChange,
}: {
  floors: readonly Space[]
  days: readonly Weekday[]
  closed: Readonly<Record<string, readonly Weekday[]>>
  nameOf: (floorId: string) => string
  onChange: (closed: Readonly<Record<string, readonly Weekday[]>>) => void
}) {
  const set = (floor: string, next: readonly Weekday[]) => onChange({ ...closed, [floor]: next })
  return (
    <div className={styles.closeScroll}>
      <table className={styles.closeGrid} aria-label="Closed floors">
        <thead>
          <tr>
            <th scope="col">Floor</th>
            <th scope="col">All</th>
            {days.map((day) => (
              <th key={day} scope="col">
                <abbr title={dayNames[day]}>{dayNames[day].slice(0, 2)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {floors.map(({ id }) => {
            const ofFloor = closed[id] ?? []
            const isAll = days.every((day) => ofFloor.includes(day))
            return (
              <tr key={id}>
                <th scope="row">{nameOf(id)}</th>
                <td>
                  <CloseBox
                    label={`Close ${nameOf(id)} all week`}
                    isClosed={isAll}
                    onClick={() => set(id, isAll ? [] : days)}
                  />
                </td>
                {days.map((day) => (
                  <td key={day}>
                    <CloseBox
                      label={`Close ${nameOf(id)} on ${dayNames[day]}s`}
                      isClosed={ofFloor.includes(day)}
                      onClick={() =>
                        set(id, ofFloor.includes(day) ? ofFloor.filter((each) => each !== day) : [...ofFloor, day])
                      }
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const CloseBox = ({ label, isClosed, onClick }: { label: string; isClosed: boolean; onClick: () => void }) => (
  <button
    type="button"
    className={styles.closeBox}
    aria-pressed={isClosed}
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    {isClosed ? '×' : ''}
  </button>
)
