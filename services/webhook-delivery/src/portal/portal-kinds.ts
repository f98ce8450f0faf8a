import { invalidField, problem, webhookEventKinds } from '@wp/contracts'
import { checkEventKinds } from '../subscriptions/check-event-kinds.ts'

/** Kinds about the whole workspace: one customer must learn neither of the webhooks of another nor of its logs. */
const withheld: ReadonlySet<string> = new Set([
  'WEBHOOK_FAILING',
  'WEBHOOK_DISABLED',
  'EVENT_DESTINATION_FAILING',
  'EVENT_DESTINATION_DISABLED',
])

const offered = webhookEventKinds.filter((kind) => !withheld.has(kind))

/** Returns the kinds that a selection of a link stands for. */
export const expandKinds = (events: readonly string[]): readonly string[] => (events.includes('*') ? offered : events)

/**
 * Validates the kinds that a link offers to its customer, and returns them without duplicates.
 * @throws Problem `unknown_event_kind`; `validation_failed` for a kind that cannot be offered
 */
export function checkOfferedKinds(events: readonly string[]): string[] {
  const index = events.findIndex((kind) => withheld.has(kind))
  if (index !== -1) throw invalidField(`/events/${index}`, 'is about the whole workspace; leave it out')
  return checkEventKinds(events)
}

/**
 * Validates the kinds that a customer selects. `*` becomes the list of all that the link offers, so that a kind that is
 * added later reaches no one unasked.
 * @throws Problem `unknown_event_kind` with a pointer to each kind that the link does not offer
 */
export function checkSelectedKinds(events: readonly string[], allowed: readonly string[]): string[] {
  const selected = checkEventKinds(events)
  if (selected.includes('*')) return [...allowed]
  const errors = events.flatMap((kind, index) =>
    allowed.includes(kind) ? [] : [{ pointer: `/events/${index}`, detail: `${kind} cannot be selected here` }],
  )
  const [first] = errors
  if (first !== undefined) throw problem('unknown_event_kind', { detail: `${first.pointer}: ${first.detail}`, errors })
  return selected
}
