import styles from './chart.module.css'
import type { ChartSeries } from './chart-data.ts'

const bandOpacity = 0.22
/** Pixels between the cursor and its box. */
const tooltipGap = 12

/** The names of the series with the marks they are drawn with. */
export const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <div className={styles.legend}>
    {series.map(({ label, colour, kind = 'line', bandUpper }, index) => (
      <span key={label} title={label}>
        <span
          className={styles.swatch}
          data-kind={bandUpper ? 'band' : kind}
          style={{
            color: `var(--chart-${colour})`,
            // Bands lie upon each other, so a later one is darker.
            ...(bandUpper && { opacity: bandOpacity * (index + 1) }),
          }}
        />
        <span className={styles.legendLabel}>{label}</span>
      </span>
    ))}
  </div>
)

/** The values of a chart as a table. */
export function ValueTable({
  title,
  times,
  series,
  formatTime,
  formatValue,
}: {
  title: string
  times: readonly number[]
  series: readonly ChartSeries[]
  formatTime: (time: number) => string
  formatValue: (value: number) => string
}) {
  const format = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : formatValue(value)
  const rows = times.flatMap((time, row) => {
    if (!hasValue(series, row)) return []
    const values = series.map(({ values, bandUpper }) =>
      bandUpper && values[row] != null ? `${format(values[row])} – ${format(bandUpper[row])}` : format(values[row]),
    )
    return [{ key: time, time: formatTime(time), values }]
  })
  return <TimeTable title={title} columns={series.map(({ label }) => label)} rows={rows} />
}

interface TimeTableProps {
  title: string
  columns: readonly string[]
  rows: readonly { key: number | string; time: string; values: readonly (string | undefined)[] }[]
}

/** A table with a row for each time. */
export const TimeTable = ({ title, columns, rows }: TimeTableProps) => (
  <section className={styles.tableWrap} aria-label={`Values: ${title}`} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {columns.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, time, values }) => (
          <tr key={key}>
            <th scope="row">{time}</th>
            {columns.map((label, index) => (
              <td key={label}>{values[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Tells if a series other than a limit has a value: a weekend that is drawn as a gap has none. */
const hasValue = (series: readonly ChartSeries[], row: number): boolean =>
  series.some(({ values, isLimit }) => isLimit !== true && values[row] != null)

/** The values of the point under the cursor, beside it. The figure announces them by itself. */
export const Tooltip = ({
  left,
  width,
  time,
  points,
}: {
  left: number
  /** Of the figure: in its right half, the box is left of the cursor. */
  width: number
  time: string
  points: readonly string[]
}) => (
  <div
    className={styles.tooltip}
    style={left > width / 2 ? { right: width - left + tooltipGap } : { left: left + tooltipGap }}
    aria-hidden="true"
  >
    <strong>{time}</strong>
    {points.map((text) => (
      <span key={text}>{text}</span>
    ))}
  </div>
)
