import type { Operation, webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { findSubscription } from '../store/subscriptions/subscriptions.ts'
import { openSecret } from '../subscriptions/secrets.ts'

/** Runs in a transaction, because reading a secret is audited. */
export const getSecret: Operation<typeof webhooks.getSecret, Context> = ({ database, sealer }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const { webhookId, secretSealed } = await findSubscription(tx.db, caller.workspaceId, params.webhook_id)
    const secret = secretSealed === null ? null : openSecret(sealer, webhookId, secretSealed)
    return { webhook_id: webhookId, secret }
  })
