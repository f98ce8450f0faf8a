import {
  type EventFilter,
  invalidField,
  Problem,
  problem,
  type WorkspaceCaller,
  webhookEventKinds,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import type { Db } from '../store/client.ts'
import { findPortalLink } from '../store/portal-links.ts'
import { checkEventKinds } from '../subscriptions/check-event-kinds.ts'

/** Kinds about the whole workspace: one customer must learn neither of the webhooks of another nor of its logs. */
const withheld: ReadonlySet<string> = new Set([
  'WEBHOOK_FAILING',
  'WEBHOOK_DISABLED',
  'EVENT_DESTINATION_FAILING',
  'EVENT_DESTINATION_DISABLED',
])

const offered = webhookEventKinds.filter((kind) => !withheld.has(kind))

/** Restrictions on what the customer of a portal link selects and reads. */
export interface CustomerRules {
  customerId: string
  /** Event kinds that the customer may select. */
  kinds: readonly string[]
  /** Kinds of the deliveries that the customer sees: those, and tests. */
  deliveredKinds: readonly string[]
  /** Conditions on every event that the customer gets; null if there are none. */
  filter: EventFilter | null
}

/**
 * Reads the rules of the link by which the caller came; undefined for every caller of the workspace itself.
 * @throws Problem `revoked_credential` if the link has ended, which the edge may learn a moment later
 */
export async function readCustomerRules(
  db: Db,
  { now }: Pick<Context, 'now'>,
  caller: WorkspaceCaller,
): Promise<CustomerRules | undefined> {
  const { customerId, principal } = caller
  if (customerId === undefined) return undefined
  const link = await findPortalLink(db, caller, principal.id, new Date(now())).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'not_found' ? problem('revoked_credential') : error
  })
  const kinds = expandKinds(link.events)
  const filter = link.filter as EventFilter | null // only written in this shape
  return { customerId, kinds, deliveredKinds: [...kinds, 'WEBHOOK_TEST'], filter }
}

/** Returns a delivery. @throws Problem `not_found` if its kind is none that the customer gets */
export function requireDelivered<Row extends { eventKind: string }>(row: Row, rules: CustomerRules | undefined): Row {
  if (rules !== undefined && !rules.deliveredKinds.includes(row.eventKind)) throw problem('not_found')
  return row
}

/** Returns the restriction of a replay to the kinds that the customer gets. */
export const replayedKinds = (rules: CustomerRules | undefined): { kinds?: string[] } =>
  rules === undefined ? {} : { kinds: [...rules.deliveredKinds] }

/** The fields of a new or changed subscription that are the workspace's own. */
interface WorkspaceFields {
  delivery?: string | undefined
  customer_id?: string | null
  customer_filter?: unknown
  metadata?: object | null | undefined
  external_id?: string | null | undefined
}

/**
 * Checks that a customer sets no field that belongs to the workspace.
 * @throws Problem `validation_failed` with a pointer to the field
 */
export function rejectWorkspaceFields(body: WorkspaceFields, { customerId }: CustomerRules): void {
  const { delivery, customer_id: named, customer_filter: filter, metadata, external_id: externalId } = body
  if (typeof named === 'string' && named !== customerId) throw invalidField('/customer_id', 'is another customer')
  // Nothing polls in the name of a link, which expires within a day.
  if (delivery === 'poll') throw invalidField('/delivery', 'must be `push` in the portal')
  const own: [pointer: string, value: unknown][] = [
    ['/customer_filter', filter],
    ['/external_id', externalId],
    [
      '/metadata',
      metadata !== null && typeof metadata === 'object' && Object.keys(metadata).length === 0 ? null : metadata,
    ],
  ]
  const sent = own.find(([, value]) => value !== undefined && value !== null)
  if (sent !== undefined) throw invalidField(sent[0], 'cannot be set in the portal')
}

/** Returns the kinds that a selection of a link stands for. */
const expandKinds = (events: readonly string[]): readonly string[] => (events.includes('*') ? offered : events)

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
