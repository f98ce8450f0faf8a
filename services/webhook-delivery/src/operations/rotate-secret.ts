import type { Operation, webhookDelivery } from '@wp/contracts'
import type { Context } from '../context.ts'
import { changeSubscription, lockSubscription } from '../store/subscriptions.ts'
import { newSecret, sealSecret } from '../subscriptions/secrets.ts'

export const rotateSecret: Operation<typeof webhookDelivery.rotateSecret, Context> = (
  { database, sealer, now },
  caller,
  { params, body },
) =>
  database.transact(caller, async (tx) => {
    const row = await lockSubscription(tx, caller.workspaceId, params.webhook_id)
    const secret = newSecret()
    const overlaps = row.secretSealed !== null && body.overlap_seconds > 0
    const previousExpiresAt = overlaps ? new Date(now() + body.overlap_seconds * 1000) : null
    const change = {
      secretSealed: sealSecret(sealer, row.webhookId, secret),
      previousSecretSealed: overlaps ? row.secretSealed : null,
      previousExpiresAt,
    }
    await changeSubscription(tx, row, change, true)
    return { webhook_id: row.webhookId, secret, previous_expires_at: previousExpiresAt?.toISOString() ?? null }
  })
