import { formatCount } from '../../../ui/format/format.ts'
import { useSentence } from '../../../ui/format/format-time.ts'
import { Callout } from '../../../ui/message/message.tsx'
import type { ForecastRunDetail } from '../run-input.ts'
import styles from './forecast.module.css'

const reasons = { privacy: 'too few people', too_short: 'too little history', no_data: 'no data' } as const
const maxNamed = 20

/** Describes a forecast of the workplace as a whole: its history, and who has no forecast of their own. */
export function WorkplaceNotes({ run: { left_out: leftOut = [], warnings = [] } }: { run: ForecastRunDetail }) {
  const sentence = useSentence()
  if (leftOut.length === 0 && warnings.length === 0) return null
  return (
    <Callout title="Notes on this forecast">
      <ul className={styles.list}>
        {warnings.map((warning) => (
          <li key={warning}>{sentence(warning)}</li>
        ))}
        {leftOut.length > 0 && (
          <li>
            Without a forecast of their own, but part of the totals:{' '}
            {leftOut
              .slice(0, maxNamed)
              .map(({ key, reason }) => `${key.name} (${reasons[reason]})`)
              .join(', ')}
            {leftOut.length > maxNamed && ` and ${formatCount(leftOut.length - maxNamed, 'other')}`}
          </li>
        )}
      </ul>
    </Callout>
  )
}
