import type { auth, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'

interface CreateKeyFlags extends ConnectionFlags, OutputFlags {
  name: string | undefined
  scope: readonly string[] | undefined
  expires: string | undefined
}

type Scopes = NonNullable<InputOf<typeof auth.createApiKey>['body']['scopes']>

export async function createKey(this: Context, flags: CreateKeyFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const key = await client.auth.createApiKey({
    body: {
      ...(flags.name === undefined ? {} : { name: flags.name }),
      // The platform checks the names, so that a new scope needs no new version of the command.
      ...(flags.scope === undefined || flags.scope.length === 0
        ? {}
        : { scopes: flags.scope as readonly string[] as Scopes }),
      ...(flags.expires === undefined ? {} : { expires_at: flags.expires }),
    },
  })
  if (isJsonRequested(flags)) return printJson(this, flags, key)
  report(this, `Created ${key.key_id}. The key is shown this once:`)
  this.process.stdout.write(`${key.api_key}\n`)
}
