import type { UsageEntry } from '@wp/contracts'
import { Progress } from '../ui/data/progress.tsx'
import { formatBytes, formatName, formatNumber } from '../ui/format/format.ts'
import { Card } from '../ui/page/page.tsx'
import { limitTone } from './limit-tone.ts'
import { nameOfQuota } from './quota-names.ts'
import styles from './usage.module.css'

/** Quotas of what the workspace may have at once, those nearest to their limit first. */
export const QuotasCard = ({ quotas }: { quotas: readonly UsageEntry[] }) => (
  <Card title="Quotas" description="What the workspace may have at the same time.">
    <ul className={styles.quotas}>
      {quotas
        .toSorted((left, right) => shareOf(right) - shareOf(left))
        .map((entry) => (
          <li key={`${entry.quota} ${entry.kind}`}>
            <Quota {...entry} />
          </li>
        ))}
    </ul>
  </Card>
)

const shareOf = ({ current, limit }: UsageEntry): number =>
  current === null || limit === null ? -1 : limit === 0 ? Number(current > 0) : current / limit

function Quota(entry: UsageEntry) {
  const { quota, kind, unit, current, limit } = entry
  const label = kind === null ? nameOfQuota(quota) : `Waiting jobs: ${formatName(kind).toLowerCase()}`
  const format = unit === 'bytes' ? formatBytes : formatNumber
  if (current === null || limit === null)
    return (
      <div className={styles.unlimited}>
        <span>{label}</span>
        <span>Not available</span>
      </div>
    )
  return (
    <Progress
      label={label}
      value={shareOf(entry)}
      text={`${format(current)} of ${format(limit)}`}
      tone={limitTone(current, limit)}
    />
  )
}
