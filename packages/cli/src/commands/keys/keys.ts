import type { auth, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

export async function listKeys(this: Context, flags: ListFlags): Promise<void> {
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

interface CreateKeyFlags extends OutputFlags {
  name: string | undefined
  scope: string[] | undefined
  expires: string | undefined
}

type Scopes = NonNullable<InputOf<typeof auth.createApiKey>['body']['scopes']>

export async function createKey(this: Context, flags: CreateKeyFlags): Promise<void> {
  const { client } = await connect(this, flags)
  // The platform checks the names, so that a new scope needs no new version of the command.
  const scopes = flags.scope as Scopes | undefined
  const key = await client.auth.createApiKey({
    body: definedMembers({ name: flags.name, scopes, expires_at: flags.expires }),
  })
  if (isJsonRequested(flags)) return printJson(this, flags, key)
  report(this, `Created ${key.key_id}. The key is shown this once:`)
  this.process.stdout.write(`${key.api_key}\n`)
}

export async function revokeKey(this: Context, flags: ConnectionFlags, keyId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const { id } = await client.auth.deleteApiKey({ params: { key_id: keyId } })
  report(this, `Revoked ${id}.`)
}
