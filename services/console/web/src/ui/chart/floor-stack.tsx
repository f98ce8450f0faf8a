import type { LinkProps } from '@tanstack/react-router'
import { Link } from '../button/button-link.tsx'
import styles from './floor-stack.module.css'

export interface FloorStackRow {
  key: string
  name: string
  /** The page to which the name leads. */
  link?: LinkProps
  capacity: number | null
  average: number | null
  peak: number | null
  /** Stands in place of the figures, where there are none. */
  note?: string | undefined
}

/** The names of the columns; without one for peaks there are none. */
interface Labels {
  average: string
  peak?: string
  capacity: string
}
const defaultLabels: Labels = { average: 'Average', peak: 'Peak', capacity: 'Places' }

/**
 * Shows levels beside their capacity, one below the other on a common scale, such as the floors of a building. It is a
 * table: the figures stand beside the bars.
 */
export function FloorStack({
  title,
  subject,
  rows,
  format,
  labels = defaultLabels,
}: {
  title: string
  /** Heading of the names. */
  subject: string
  rows: readonly FloorStackRow[]
  format: (value: number | null) => string
  labels?: Labels
}) {
  const highest = Math.max(1, ...rows.flatMap(({ capacity, peak }) => [capacity ?? 0, peak ?? 0]))
  const hasPeak = labels.peak !== undefined
  const hasCapacity = rows.some(({ capacity }) => capacity !== null)
  const parts = (['average', 'peak', 'capacity'] as const).filter(
    (part) => labels[part] !== undefined && (part !== 'capacity' || hasCapacity),
  )
  return (
    <table className={styles.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{subject}</th>
          <th scope="col" className={styles.barCell}>
            <span className="visually-hidden">Bar</span>
          </th>
          {parts.map((part) => (
            <th key={part} scope="col" data-part={part}>
              {labels[part]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.link ? <Link {...row.link}>{row.name}</Link> : row.name}</th>
            {row.note !== undefined && (
              <td className={styles.note} colSpan={hasPeak ? 3 : 2}>
                {row.note}
              </td>
            )}
            {row.note === undefined && (
              <>
                <td className={styles.barCell}>
                  <Bar row={row} highest={highest} />
                </td>
                <td>{format(row.average)}</td>
                {hasPeak && <td>{format(row.peak)}</td>}
              </>
            )}
            {hasCapacity && <td>{format(row.capacity)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const barHeight = 18

function Bar({ row: { capacity, average, peak }, highest }: { row: FloorStackRow; highest: number }) {
  const width = (value: number) => `${(100 * value) / highest}%`
  return (
    <svg className={styles.bar} width="100%" height={barHeight} aria-hidden="true">
      {capacity !== null && <rect className={styles.capacity} width={width(capacity)} height={barHeight} rx={3} />}
      {average !== null && <rect className={styles.average} y={3} width={width(average)} height={12} rx={2} />}
      {peak !== null && peak > 0 && (
        <line className={styles.peak} x1={width(peak)} x2={width(peak)} y1={0} y2={barHeight} />
      )}
    </svg>
  )
}
