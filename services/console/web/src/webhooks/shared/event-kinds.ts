import type { EventKind } from '@wp/contracts'
import type { z } from 'zod'

export type EventKindView = z.infer<typeof EventKind>

/** Areas of the platform by the first words of the kinds of their events. The first match counts. */
const areas: readonly (readonly [prefix: string, label: string])[] = [
  ['FORECAST', 'Forecasts'],
  ['RECOMMENDATION', 'Recommendations'],
  ['DATA_', 'Data'],
  ['AGENT', 'Agents'],
  ['INTEGRATION', 'Integrations'],
  ['WEBHOOK', 'Webhooks'],
  ['EVENT_DESTINATION', 'Webhooks'],
  ['API_KEY', 'Access'],
  ['USER', 'Access'],
  ['USAGE', 'Usage and billing'],
  ['INVOICE', 'Usage and billing'],
  ['PLAN', 'Usage and billing'],
  ['AUDIT', 'Audit'],
]

/** Returns the area of the platform that an event kind is about. */
export const areaOf = (kind: string): string => areas.find(([prefix]) => kind.startsWith(prefix))?.[1] ?? 'Other'

/** Groups event kinds by area, in the order of the areas; unknown areas are last. */
export function groupByArea<Kind extends { kind: string }>(kinds: readonly Kind[]): { area: string; kinds: Kind[] }[] {
  const groups = Map.groupBy(kinds, ({ kind }) => areaOf(kind))
  const order = [...new Set([...areas.map(([, label]) => label), 'Other'])]
  return order.flatMap((area) => {
    const own = groups.get(area)
    return own === undefined ? [] : [{ area, kinds: own }]
  })
}

/** Returns the kinds whose name, area or summary contain every word of a search. */
export function searchKinds<Kind extends { kind: string; summary: string }>(
  kinds: readonly Kind[],
  text: string,
): Kind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return kinds.filter(({ kind, summary }) => {
    const haystack = `${kind} ${kind.replaceAll('_', ' ')} ${summary} ${areaOf(kind)}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}

/** Returns the body that a receiver gets for an event kind, with made values. */
export const sampleBody = ({ kind, example }: Pick<EventKindView, 'kind' | 'example'>, workspaceId: string) => ({
  event: kind,
  workspace_id: workspaceId,
  request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
  payload: example,
})
