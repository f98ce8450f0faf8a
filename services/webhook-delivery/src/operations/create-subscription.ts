import type { Operation, webhookDelivery } from '@wp/contracts'
import type { Context } from '../context.ts'
import { insertSubscription, newWebhookId } from '../store/subscriptions.ts'
import { checkEndpoint } from '../subscriptions/check-endpoint.ts'
import { checkEvents } from '../subscriptions/check-events.ts'
import { checkHeaders, sealHeaders } from '../subscriptions/custom-headers.ts'
import { sealSecret } from '../subscriptions/secrets.ts'
import { subscriptionView } from '../views.ts'

export const createSubscription: Operation<typeof webhookDelivery.createSubscription, Context> = async (
  { database, outbound, sealer },
  caller,
  { body },
) => {
  const events = checkEvents(body.events)
  checkHeaders(Object.keys(body.headers))
  if (body.endpoint !== undefined) await checkEndpoint(outbound, body.endpoint)
  const webhookId = newWebhookId()
  return database.transact(caller, async (tx) =>
    subscriptionView(
      await insertSubscription(tx, {
        webhookId,
        workspaceId: caller.workspaceId,
        delivery: body.delivery,
        endpoint: body.endpoint ?? null,
        events,
        secretSealed: body.secret === undefined ? null : sealSecret(sealer, webhookId, body.secret),
        headers: sealHeaders(sealer, webhookId, body.headers),
        ordering: body.ordering,
        description: body.description,
        metadata: body.metadata,
        externalId: body.external_id,
      }),
    ),
  )
}
