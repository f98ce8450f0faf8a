import type { auth, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printItem, printList } from '../../output/print.ts'

export async function listPrincipals(this: Context, flags: ListFlags): Promise<void> {
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

interface CreatePrincipalFlags extends OutputFlags {
  scope: string[]
}

type Scopes = InputOf<typeof auth.createServicePrincipal>['body']['scopes']

export async function createPrincipal(this: Context, flags: CreatePrincipalFlags, name: string): Promise<void> {
  const { client } = await connect(this, flags)
  const scopes = flags.scope as Scopes // the platform checks the names
  const created = await client.auth.createServicePrincipal({ body: { name, scopes } })
  await printItem(this, flags, created, [
    { title: 'client id', value: (principal) => principal.client_id },
    { title: 'client secret', value: (principal) => principal.client_secret },
    { title: 'workspace', value: (principal) => principal.workspace_id },
  ])
}

export async function deletePrincipal(this: Context, flags: ConnectionFlags, clientId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.auth.deleteServicePrincipal({ params: { client_id: clientId } })
  report(this, `Deleted ${id}.`)
}
