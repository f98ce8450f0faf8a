import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

export async function listPrincipals(this: Context, flags: ConnectionFlags & ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const principals = await collectPages(flags.limit, (query) => client.auth.listServicePrincipals({ query }))
  await printList(this, flags, principals, [
    { title: 'client id', value: (principal) => principal.client_id },
    { title: 'name', value: (principal) => principal.name },
    { title: 'status', value: (principal) => principal.status },
    { title: 'created', value: (principal) => ({ time: principal.created_at }) },
    { title: 'last used', value: (principal) => ({ time: principal.last_used_at }) },
    { title: 'scopes', value: (principal) => principal.scopes },
  ])
}
