import { formatPercent } from '../../../ui/format/format.ts'
import styles from './forecast.module.css'

const warningShare = 0.9

/** A share of the capacity as a bar; the lighter part reaches to the upper bound of the interval. */
export function ShareBar({ share, upper }: { share: number; upper: number | null }) {
  const width = (value: number) => `${Math.round(100 * Math.min(1, Math.max(0, value)))}%`
  const tone = share >= 1 ? 'danger' : share >= warningShare ? 'warning' : 'accent'
  return (
    <span className={styles.share}>
      <span className={styles.shareTrack} data-tone={tone} aria-hidden="true">
        {upper !== null && <span className={styles.shareUpper} style={{ width: width(upper) }} />}
        <span className={styles.shareBar} style={{ width: width(share) }} />
      </span>
      <span className={styles.shareText}>{formatPercent(share)}</span>
    </span>
  )
}
