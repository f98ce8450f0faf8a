import type { auth, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

interface CreatePrincipalFlags extends ConnectionFlags, OutputFlags {
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
