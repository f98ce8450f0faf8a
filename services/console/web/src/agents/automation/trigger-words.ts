import {
  type Agent,
  type EventFilter,
  type Trigger,
  type WebhookEventKind,
  webhookEventKinds,
  webhookEvents,
} from '@wp/contracts'
import type { z } from 'zod'
import { parseNumber, typedNumber } from '../../ui/format/number-signs.ts'
import { describeCron } from '../../ui/schedule/schedule-text.ts'

export type TriggerView = z.input<typeof Trigger>
/** The part of an assistant that its triggers depend on. */
export type AgentOfTriggers = Pick<z.input<typeof Agent>, 'agent_id' | 'autonomy' | 'input_schema'>
type Filter = EventFilter | null | undefined

/** Returns an event as people say it: `a sync of a data source failed`. */
export function describeEvent(kind: WebhookEventKind): string {
  const words = eventLabel(kind)
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** The words of the console for what the API calls otherwise. */
const eventLabel = (kind: WebhookEventKind): string =>
  webhookEvents[kind].summary.replace('An agent run', 'A run of an assistant').replace('A sync of', 'An import of')

/** The events at which an assistant may run, by their words. A test of a webhook is none of them. */
export const eventChoices = webhookEventKinds
  .filter((kind) => kind !== 'WEBHOOK_TEST')
  .map((value) => ({ value, label: eventLabel(value) }))
  .toSorted((one, other) => one.label.localeCompare(other.label))

/** Describes the occasion of a trigger in words. @param names of what a filter names by id */
export function describeOccasion(on: TriggerView['on'], names: ReadonlyMap<string, string> = new Map()): string {
  if ('schedule' in on) {
    const words = describeCron(on.schedule)
    return `${words.charAt(0).toUpperCase()}${words.slice(1)} (${on.timezone ?? 'UTC'})`
  }
  const conditions = conditionsOf(on.filter)
  const only =
    conditions === undefined
      ? ', with a filter'
      : conditions.map(({ field, value }) => `, only if ${fieldWords(field)} is ${names.get(value) ?? value}`).join('')
  return `When ${describeEvent(on.event)}${only}`
}

/** Returns a field of an event in words: `agent_id` is the assistant, `error.code` the error code. */
export const fieldWords = (field: string): string =>
  `the ${field
    .replaceAll(/[_.]/g, ' ')
    .replace(/^agent\b/, 'assistant')
    .replace(/(?<=.) id$/, '')}`

/** A condition on a field of an event: it equals a value. */
export interface Condition {
  field: string
  value: string
}

/** Returns the conditions of a filter, or undefined if it has others than equal values. */
export function conditionsOf(filter: Filter): Condition[] | undefined {
  if (filter === null || filter === undefined) return []
  if (filter.any !== undefined) return undefined
  const conditions = Object.entries(filter.all ?? {})
  if (conditions.some(([, value]) => typeof value === 'object')) return undefined
  return conditions.map(([field, value]) => ({
    field,
    value: typeof value === 'number' ? typedNumber(value) : String(value),
  }))
}

/** Returns the filter of conditions; those without a field are left out. */
export function filterOf(kind: WebhookEventKind, conditions: readonly Condition[]): EventFilter | null {
  const members = conditions
    .filter(({ field }) => field !== '')
    .map(({ field, value }) => [field, isNumber(kind, field) ? parseNumber(value) : value] as const)
  return members.length === 0 ? null : { all: Object.fromEntries(members) }
}

/** Returns true if a field of an event is a number. */
export const isNumber = (kind: WebhookEventKind, field: string): boolean =>
  typeof eventFields(kind).get(field) === 'number'

/** Returns the fields of an event that a condition can name, with an example of each. */
export function eventFields(kind: WebhookEventKind): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  const add = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [name, member] of Object.entries(value)) add(member, path === '' ? name : `${path}.${name}`)
    else if (typeof value === 'string' || typeof value === 'number') fields.set(path, value)
  }
  add(webhookEvents[kind].example, '')
  return fields
}
