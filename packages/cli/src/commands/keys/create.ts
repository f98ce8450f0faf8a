import type { auth, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

interface CreateKeyFlags extends ConnectionFlags, OutputFlags {
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
