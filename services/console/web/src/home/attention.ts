import { formatCount } from '../ui/format/format.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import type { SiteDays } from './occupancy/occupancy.ts'

/** Something that a person should look at, with the page that shows it. Paths are within the workspace. */
export interface Attention {
  key: string
  tone: 'danger' | 'warning'
  text: string
  path: string
}

interface Webhook {
  webhook_id: string
  endpoint: string | null
  description: string | null
  status: string
  stats: { success_rate: number | null; failed: number }
}

interface Destination {
  destination_id: string
  name: string
  disabled_reason: string | null
  health: { state: string; lag: number }
}

interface Source {
  data_source_id: string
  name: string
  status: string
}

interface Meter {
  meter: string
  percent: number | null
}

/** Below this share of delivered events, a webhook needs attention. */
const minSuccessRate = 0.99
const fullShare = 0.95
const warningPercent = 80

const failureText = (name: string, failed: number): string =>
  failed === 0
    ? `Attempts to deliver to the webhook ${name} fail`
    : `The webhook ${name} failed ${failed === 1 ? 'once' : `${failed} times`}`

/** Returns the webhooks that fail, those that were stopped first. */
export const webhookAttention = (webhooks: readonly Webhook[]): Attention[] =>
  webhooks.flatMap(({ webhook_id: id, description, endpoint, status, stats }): Attention[] => {
    const name = isolate(description ?? endpoint ?? 'of a polling receiver')
    const at = { key: id, path: `webhooks/${id}` }
    if (status === 'disabled') return [{ ...at, tone: 'danger', text: `The webhook ${name} is switched off` }]
    if ((stats.success_rate ?? 1) >= minSuccessRate) return []
    return [{ ...at, tone: 'warning', text: failureText(name, stats.failed) }]
  })

/** Returns the event destinations that fail, or were stopped because they did. One that a person stopped is none. */
export const destinationAttention = (destinations: readonly Destination[]): Attention[] =>
  destinations.flatMap(({ destination_id: id, name, disabled_reason: reason, health: { state, lag } }): Attention[] => {
    const at = { key: id, path: `webhooks/destinations/${id}` }
    const subject = `The event destination ${isolate(name)}`
    if (state === 'failing')
      return [{ ...at, tone: 'warning', text: `${subject} fails: ${formatCount(lag, 'record')} to write` }]
    if (state !== 'disabled' || reason === 'requested') return []
    return [{ ...at, tone: 'danger', text: `${subject} was switched off, because it failed` }]
  })

/** Returns the sources whose last sync failed. */
export const sourceAttention = (sources: readonly Source[]): Attention[] =>
  sources
    .filter(({ status }) => status === 'error')
    .map(({ data_source_id: id, name }) => ({
      key: id,
      tone: 'danger',
      text: `${isolate(name)} could not be updated`,
      path: `data/${id}`,
    }))

interface CountedFile {
  id: string
  name: string
  rows: { unused: readonly { reason: string; rows: number }[] }
}

/** Returns the files with rows that count nowhere, because their place is not known. */
export const placeAttention = (files: readonly CountedFile[]): Attention[] =>
  files.flatMap(({ id, name, rows: { unused } }): Attention[] => {
    const rows = unused.find(({ reason }) => reason === 'space_unmapped')?.rows ?? 0
    if (rows === 0) return []
    const text = `${formatCount(rows, 'row')} of ${isolate(name)} ${rows === 1 ? 'is' : 'are'} not counted: the place is not known`
    return [{ key: id, tone: 'warning', text, path: `datasets/${id}` }]
  })

/** Returns the meters of the plan that are nearly used up, or are. */
export const usageAttention = (meters: readonly Meter[], nameOf: (meter: string) => string): Attention[] =>
  meters
    .filter(({ percent }) => (percent ?? 0) >= warningPercent)
    .map(({ meter, percent }) => ({
      key: meter,
      tone: (percent ?? 0) >= 100 ? 'danger' : 'warning',
      text: `${nameOf(meter)}: ${percent} % of the plan is used`,
      path: 'usage',
    }))

/** Returns the sites that are expected to be full, each with its fullest day. @param today local date */
export const occupancyAttention = (
  sites: readonly SiteDays[],
  today: string,
  formatDay: (date: string) => string,
): Attention[] =>
  sites.flatMap(({ id, name, expected }): Attention[] => {
    const [fullest] = [...expected]
      .filter(([date, share]) => date >= today && share >= fullShare)
      .sort(([, left], [, right]) => right - left)
    if (fullest === undefined) return []
    const [date, share] = fullest
    const text = `${isolate(name)} will be ${share >= 1 ? 'full' : 'nearly full'} on ${formatDay(date)}: ${Math.round(100 * share)} % of its places`
    return [{ key: id, tone: share >= 1 ? 'danger' : 'warning', text, path: `buildings/${id}` }]
  })

/** Returns everything in the order of its weight. */
export const sortAttention = (items: readonly Attention[]): Attention[] =>
  items.toSorted((left, right) => Number(right.tone === 'danger') - Number(left.tone === 'danger'))
