import { formatDuration } from '../../ui/format/format.ts'
import { type AttemptStage, type AttemptTimings, stagesOf } from './attempt-stages.ts'
import styles from './attempt-timeline.module.css'

const stageNames: Readonly<Record<AttemptStage['name'], string>> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  'first byte': 'First byte',
  rest: 'Rest',
}

/** The stages of an attempt as a bar, with the duration of each. */
export function AttemptTimeline({ timings }: { timings: AttemptTimings }) {
  const stages = stagesOf(timings)
  return (
    <div className={styles.timeline}>
      <div className={styles.bar} aria-hidden="true">
        {stages.map(({ name, share }) => (
          <span key={name} className={styles.part} data-stage={name} style={{ width: `${100 * share}%` }} />
        ))}
      </div>
      <ul className={styles.legend} aria-label="Stages of the attempt">
        {stages.map(({ name, ms }) => (
          <li key={name}>
            <span className={styles.swatch} data-stage={name} />
            {stageNames[name]} <strong>{formatDuration(ms)}</strong>
          </li>
        ))}
        <li>
          Total <strong>{formatDuration(timings.total_ms)}</strong>
        </li>
      </ul>
    </div>
  )
}

/** Names and values of header fields, as text. */
export const HeaderList = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <dl className={styles.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
