import type { Operation } from '../context.ts'
import { initialHealth } from '../delivery/endpoint-health.ts'
import { findSubscription, lockSubscription, updateSubscriptionRow } from '../store/subscriptions/subscriptions.ts'
import { generateSecret, openSecret, sealSecret } from '../subscriptions/secrets.ts'

/** Runs in a transaction, because reading a secret is audited. */
export const getSecret: Operation<'getSecret'> = ({ database, sealer }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { webhookId, secretSealed } = await findSubscription(tx.db, caller, params.webhook_id)
    const secret = secretSealed === null ? null : openSecret(sealer, webhookId, secretSealed)
    return { webhook_id: webhookId, secret }
  })

export const rotateSecret: Operation<'rotateSecret'> = ({ database, sealer, now }, caller, { params, body }) =>
  database.transact(caller, async (tx) => {
    const row = await lockSubscription(tx, caller, params.webhook_id)
    const secret = generateSecret()
    const overlaps = row.secretSealed !== null && body.overlap_seconds > 0
    const previousExpiresAt = overlaps ? new Date(now() + body.overlap_seconds * 1000) : null
    const change = {
      secretSealed: sealSecret(sealer, row.webhookId, secret),
      previousSecretSealed: overlaps ? row.secretSealed : null,
      previousExpiresAt,
    }
    await updateSubscriptionRow(tx, row, change, initialHealth)
    return { webhook_id: row.webhookId, secret, previous_expires_at: previousExpiresAt?.toISOString() ?? null }
  })
