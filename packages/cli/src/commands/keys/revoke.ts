import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'

export async function revokeKey(this: Context, flags: ConnectionFlags, keyId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.auth.deleteApiKey({ params: { key_id: keyId } })
  report(this, `Revoked ${id}.`)
}
