import { type Caller, type InputOf, invalidField, type WebhookAuthentication, type webhooks } from '@wp/contracts'
import { definedFields, mergeMetadata } from '@wp/database'
import type { Sealer } from '@wp/service'
import { checkAuthentication, rejectHeaderConflict, sealAuthentication } from '../authentication/authentication.ts'
import type { Operation } from '../context.ts'
import { initialHealth } from '../delivery/endpoint-health.ts'
import {
  type CustomerRules,
  checkSelectedKinds,
  readCustomerRules,
  rejectWorkspaceFields,
} from '../portal/customer-rules.ts'
import { subscriptionViewFor } from '../portal/portal-views.ts'
import { changeRateLimit } from '../store/endpoints/rate-limit.ts'
import { changeOrdering } from '../store/subscriptions/change-ordering.ts'
import { applicationSessionOf } from '../store/subscriptions/dependent-subscriptions.ts'
import {
  lockSubscription,
  type Subscription,
  type SubscriptionChange,
  updateSubscriptionRow,
} from '../store/subscriptions/subscriptions.ts'
import { checkEventKinds } from '../subscriptions/check-event-kinds.ts'
import { checkHeaders, mergeHeaders, sealHeaders } from '../subscriptions/custom-headers.ts'
import { dropCredentialsOfOldDestination } from '../subscriptions/new-destination.ts'
import { checkEndpoint } from '../subscriptions/receiver-address.ts'
import { sealSecret } from '../subscriptions/secrets.ts'
import { secretWarnings } from '../subscriptions/warnings.ts'
import { toStringRecord } from '../views.ts'

type Patch = InputOf<typeof webhooks.updateSubscription>['body']

export const updateSubscription: Operation<'updateSubscription'> = async (context, caller, { params, body }) => {
  const { database, outbound, sealer, now } = context
  const rules = await database.read(caller, (db) => readCustomerRules(db, context, caller))
  if (rules !== undefined) rejectWorkspaceFields(body, rules)
  const events = body.events && (rules ? checkSelectedKinds(body.events, rules.kinds) : checkEventKinds(body.events))
  const endpointWarnings = body.endpoint === undefined ? [] : await checkEndpoint(context, caller, body.endpoint)
  const shown = body.authentication == null ? null : await checkAuthentication(outbound, body.authentication, now())
  return database.transact(caller, async (tx) => {
    const locked = await lockSubscription(tx, caller, params.webhook_id)
    const { row, patch, warnings } = dropCredentialsOfOldDestination(locked, body)
    const change: SubscriptionChange = {
      ...definedFields({ endpoint: body.endpoint, events, filter: body.filter }),
      ...customerFilterChange(row, body, rules),
      ...definedFields({ ordering: body.ordering, delivery: body.delivery, description: body.description }),
      ...definedFields({ metadata: mergeMetadata(toStringRecord(row.metadata), body.metadata) }),
      ...definedFields({ externalId: body.external_id }),
      ...secretChange(sealer, row, patch.secret),
      ...headersChange(sealer, row, patch.headers),
      ...authenticationChange(sealer, row, patch.authentication, shown),
      ...statusChange(row, body.status, now()),
      ...dependencyChange(row, caller, body.status),
    }
    rejectHeaderConflict(typeAfter(row, patch), Object.keys(toStringRecord(change.headers ?? row.headers)))
    const ordered = {
      webhookId: row.webhookId,
      ordering: body.ordering ?? row.ordering,
      delivery: body.delivery ?? row.delivery,
    }
    if (ordered.delivery === 'push' && (body.endpoint ?? row.endpoint) === null)
      throw invalidField('/endpoint', 'is required unless `delivery` is `poll`')
    if (ordered.ordering !== row.ordering || ordered.delivery !== row.delivery) await changeOrdering(tx, ordered)
    if (body.rate_limit !== undefined) await changeRateLimit(tx, row.webhookId, body.rate_limit)
    tx.audit({ changes: { fields: Object.keys(body) } })
    return subscriptionViewFor(
      caller,
      await updateSubscriptionRow(tx, row, change, resetsHealth(body) ? initialHealth : undefined),
      [...endpointWarnings, ...warnings, ...secretWarnings(body.secret)],
    )
  })
}

/** Returns true if the patch changes what an endpoint may have failed for, so that its history no longer applies. */
const resetsHealth = (body: Patch): boolean =>
  [body.endpoint, body.secret, body.headers, body.authentication, body.status, body.delivery].some(
    (value) => value !== undefined,
  )

/** A customer cannot change the hidden filter, and brings the one of the link along; without one, the old one stays. */
function customerFilterChange(
  { customerId }: Subscription,
  { customer_filter: filter }: Patch,
  rules: CustomerRules | undefined,
): SubscriptionChange {
  if (rules !== undefined) return rules.filter === null ? {} : { customerFilter: rules.filter }
  if (filter === undefined) return {}
  if (filter !== null && customerId === null) throw invalidField('/customer_filter', 'requires `customer_id`')
  return { customerFilter: filter }
}

/** The old secret is dropped at once; rotate-secret keeps it for an overlap. */
function secretChange(sealer: Sealer, { webhookId }: Subscription, secret: Patch['secret']): SubscriptionChange {
  if (secret === undefined) return {}
  const secretSealed = secret === null ? null : sealSecret(sealer, webhookId, secret)
  return { secretSealed, previousSecretSealed: null, previousExpiresAt: null }
}

function headersChange(sealer: Sealer, row: Subscription, patch: Patch['headers']): SubscriptionChange {
  if (patch === undefined) return {}
  if (patch === null) return { headers: {} }
  const values = Object.entries(patch).filter((pair): pair is [string, string] => pair[1] !== null)
  const sealed = sealHeaders(sealer, row.webhookId, Object.fromEntries(values))
  const merged = mergeHeaders(toStringRecord(row.headers), { ...patch, ...sealed })
  checkHeaders(Object.keys(merged))
  return { headers: merged }
}

/** @param shown the part of the new authentication that is shown; null if it is removed */
function authenticationChange(
  sealer: Sealer,
  { webhookId }: Subscription,
  authentication: Patch['authentication'],
  shown: WebhookAuthentication | null,
): SubscriptionChange {
  if (authentication === undefined) return {}
  const authenticationSealed = authentication === null ? null : sealAuthentication(sealer, webhookId, authentication)
  return { authentication: shown, authenticationSealed }
}

/** Returns the type of the authentication after the patch. */
const typeAfter = (row: Subscription, { authentication }: Pick<Patch, 'authentication'>) =>
  authentication === undefined
    ? (row.authentication as WebhookAuthentication | null)?.type // only written in this shape
    : authentication?.type

function statusChange(row: Subscription, status: Patch['status'], nowMs: number): SubscriptionChange {
  if (status === undefined || status === row.status) return {}
  return status === 'active'
    ? { status, disabledReason: null, disabledAt: null }
    : { status, disabledReason: 'requested', disabledAt: new Date(nowMs) }
}

/**
 * A person who activates a subscription takes it over from the application that made it. One that an application
 * activates depends on its session, unless it is active and depends on none.
 */
function dependencyChange(
  { status: before, dependsOn }: Subscription,
  caller: Caller,
  status: Patch['status'],
): SubscriptionChange {
  if (status !== 'active') return {}
  const session = applicationSessionOf(caller)
  if (session === null) return { dependsOn: null }
  return before === 'active' && dependsOn === null ? {} : { dependsOn: session }
}
