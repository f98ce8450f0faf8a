import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'

export async function deleteSubscription(this: Context, flags: ConnectionFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.webhooks.deleteSubscription({ params: { webhook_id: webhookId } })
  report(this, `Deleted ${id}.`)
}
