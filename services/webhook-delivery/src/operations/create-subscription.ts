import { enforceQuota } from '@wp/database'
import { checkAuthentication, rejectHeaderConflict, sealAuthentication } from '../authentication/authentication.ts'
import type { Operation } from '../context.ts'
import { initialHealth } from '../delivery/endpoint-health.ts'
import { checkSelectedKinds, readCustomerRules, rejectWorkspaceFields } from '../portal/customer-rules.ts'
import { subscriptionViewFor } from '../portal/portal-views.ts'
import { applicationSessionOf } from '../store/subscriptions/dependent-subscriptions.ts'
import {
  createWebhookId,
  enforceCustomerLimit,
  insertSubscription,
  subscriptionQuota,
} from '../store/subscriptions/insert-subscription.ts'
import { checkEventKinds } from '../subscriptions/check-event-kinds.ts'
import { checkHeaders, sealHeaders } from '../subscriptions/custom-headers.ts'
import { checkEndpoint } from '../subscriptions/receiver-address.ts'
import { generateSecret, sealSecret } from '../subscriptions/secrets.ts'
import { secretWarnings } from '../subscriptions/warnings.ts'

export const createSubscription: Operation<'createSubscription'> = async (context, caller, { body }) => {
  const { database, outbound, sealer, now } = context
  const rules = await database.read(caller, (db) => readCustomerRules(db, context, caller))
  if (rules !== undefined) rejectWorkspaceFields(body, rules)
  const events = rules === undefined ? checkEventKinds(body.events) : checkSelectedKinds(body.events, rules.kinds)
  checkHeaders(Object.keys(body.headers))
  rejectHeaderConflict(body.authentication?.type, Object.keys(body.headers))
  const warnings = body.endpoint === undefined ? [] : await checkEndpoint(context, caller, body.endpoint)
  const { authentication } = body
  const shown = authentication === null ? null : await checkAuthentication(outbound, authentication, now())
  const webhookId = createWebhookId()
  const generated = body.generate_secret ? generateSecret() : undefined
  const secret = generated ?? body.secret
  return database.transact(caller, async (tx) => {
    const subscription = await insertSubscription(tx, {
      webhookId,
      workspaceId: caller.workspaceId,
      delivery: body.delivery,
      endpoint: body.endpoint ?? null,
      events,
      filter: body.filter,
      rateLimit: body.rate_limit,
      secretSealed: secret === undefined ? null : sealSecret(sealer, webhookId, secret),
      headers: sealHeaders(sealer, webhookId, body.headers),
      authentication: shown,
      authenticationSealed: authentication === null ? null : sealAuthentication(sealer, webhookId, authentication),
      inFlightCap: initialHealth.inFlightCap,
      ordering: body.ordering,
      description: body.description,
      metadata: body.metadata,
      externalId: body.external_id,
      customerId: rules?.customerId ?? body.customer_id,
      customerFilter: rules === undefined ? body.customer_filter : rules.filter,
      createdBy: caller.principal.id,
      createdByClient: caller.clientId,
      dependsOn: applicationSessionOf(caller),
    })
    if (rules !== undefined) await enforceCustomerLimit(tx, caller.workspaceId, rules.customerId)
    await enforceQuota(tx.query, caller.workspaceId, subscriptionQuota)
    const view = subscriptionViewFor(caller, subscription, [...warnings, ...secretWarnings(secret)])
    return generated === undefined ? view : { ...view, secret: generated }
  })
}
