import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

export async function listKeys(this: Context, flags: ConnectionFlags & ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const keys = await collectPages(flags.limit, (query) => client.auth.listApiKeys({ query }))
  await printList(this, flags, keys, [
    { title: 'id', value: (key) => key.key_id },
    { title: 'name', value: (key) => key.name },
    { title: 'ends with', value: (key) => key.last4 },
    { title: 'created', value: (key) => ({ time: key.created_at }) },
    { title: 'last used', value: (key) => ({ time: key.last_used_at }) },
    { title: 'expires', value: (key) => ({ time: key.expires_at }) },
    { title: 'scopes', value: (key) => key.scopes },
  ])
}
