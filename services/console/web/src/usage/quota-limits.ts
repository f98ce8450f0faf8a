import type { QuotaName } from '@wp/contracts'
import { formatName } from '../ui/format/format.ts'

const warningPercent = 80
const dangerPercent = 100

/** Returns how the use of a limit is shown: a warning near it, danger when it is reached. */
export function limitTone(current: number, limit: number): 'accent' | 'warning' | 'danger' {
  if (limit === 0) return current > 0 ? 'danger' : 'accent'
  const percent = (100 * current) / limit
  if (percent >= dangerPercent) return 'danger'
  return percent >= warningPercent ? 'warning' : 'accent'
}

const names: Readonly<Partial<Record<QuotaName, string>>> = {
  uploaded_bytes_per_day: 'Uploaded today (UTC)',
  stored_bytes: 'Size of records',
  export_bytes: 'Size of compliance exports',
  subscriptions: 'Webhook subscriptions',
  sources: 'Data sources',
  seats: 'Users and invitations',
}

/** Returns the name of a quota in words. */
export const nameOfQuota = (quota: QuotaName): string => names[quota] ?? formatName(quota)
