import type { QuotaName } from '@wp/contracts'
import { formatName } from '../ui/format/format.ts'

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
