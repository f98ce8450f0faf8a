import { type Figure, type Recommendation, readFigures } from './read-figures.ts'
import styles from './recommendations.module.css'

const format = (value: number) =>
  new Intl.NumberFormat('en', { maximumFractionDigits: value >= 10 ? 0 : 1 }).format(value)

/** The figures of a recommendation as bars of a common scale. */
export function FigureBars({ recommendation }: { recommendation: Recommendation }) {
  const figures = readFigures(recommendation)
  const highest = Math.max(...figures.map(({ value }) => value), 0)
  if (highest === 0) return null
  return (
    <dl className={styles.bars}>
      {figures.map((figure) => (
        <Bar key={figure.label} figure={figure} highest={highest} />
      ))}
    </dl>
  )
}

const Bar = ({ figure: { label, value, kind }, highest }: { figure: Figure; highest: number }) => (
  <div className={styles.bar}>
    <dt>{label}</dt>
    <dd>
      <span className={styles.track} aria-hidden="true">
        <span
          className={styles.fill}
          data-kind={kind}
          style={{ width: `${Math.max(1, Math.round((100 * value) / highest))}%` }}
        />
      </span>
      <span className={styles.value}>{format(value)}</span>
    </dd>
  </div>
)
