import type { MeterEntry } from '@wp/contracts'
import { Progress } from '../ui/data/progress.tsx'
import { Time } from '../ui/data/time.tsx'
import { formatNumber } from '../ui/format/format.ts'
import { Card } from '../ui/page/page.tsx'
import { meterNames } from './choices.ts'
import { limitTone } from './limit-tone.ts'
import styles from './usage.module.css'

const atLimit = { refuse: 'Further use is refused', bill: 'Further use is billed' } as const

/** The meters of the current period with what the plan includes. */
export function MetersCard({ meters }: { meters: readonly MeterEntry[] }) {
  const period = meters[0]?.period
  return (
    <Card
      title="This period"
      description={
        period && (
          <>
            <Time value={period.start} format="short" /> to <Time value={period.end} format="short" />
          </>
        )
      }
    >
      <ul className={styles.meters}>
        {meters.map((entry) => (
          <li key={entry.meter}>
            <Meter {...entry} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Meter({ meter, quantity, included, action }: MeterEntry) {
  if (included === null)
    return (
      <div className={styles.unlimited}>
        <span>{meterNames[meter]}</span>
        <span>{formatNumber(quantity)}, unlimited</span>
      </div>
    )
  const tone = limitTone(quantity, included)
  return (
    <>
      <Progress
        label={meterNames[meter]}
        value={included === 0 ? Number(quantity > 0) : quantity / included}
        text={`${formatNumber(quantity)} of ${formatNumber(included)}`}
        tone={tone}
      />
      {tone !== 'accent' && (
        <p className={styles.note} data-tone={tone}>
          {tone === 'danger' ? 'The limit is reached. ' : 'The limit is near. '}
          {atLimit[action]}.
        </p>
      )}
    </>
  )
}
