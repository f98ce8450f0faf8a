import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

export async function resendDelivery(
  this: Context,
  flags: ConnectionFlags & OutputFlags,
  requestId: string,
): Promise<void> {
  const { client } = await connect(this, flags)
  const delivery = await client.webhooks.resendDelivery({ params: { request_id: requestId } })
  if (isJsonRequested(flags)) return printJson(this, flags, delivery)
  report(this, `${delivery.event} ${delivery.request_id} is sent again.`)
}
