import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'

export async function deletePrincipal(this: Context, flags: ConnectionFlags, clientId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.auth.deleteServicePrincipal({ params: { client_id: clientId } })
  report(this, `Deleted ${id}.`)
}
