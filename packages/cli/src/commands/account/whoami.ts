import { connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

export async function whoami(this: Context, flags: OutputFlags): Promise<void> {
  const { client, baseUrl, source } = await connect(this, flags)
  const profile = await client.auth.me()
  const { credential, workspaces = [] } = profile
  await printItem(this, flags, profile, [
    { title: 'platform', value: () => baseUrl },
    { title: 'principal', value: () => profile.email ?? profile.client_id ?? profile.key_id },
    { title: 'type', value: () => profile.principal_type },
    { title: 'credential', value: () => `${credential.type} of ${source === 'store' ? 'wp login' : source}` },
    { title: 'expires', value: () => ({ time: credential.expires_at }) },
    { title: 'workspace', value: () => credential.workspace_id },
    {
      title: 'member of',
      value: () => workspaces.map(({ workspace_id, name, role }) => `${workspace_id} (${name}, ${role})`),
    },
    { title: 'scopes', value: () => credential.scopes },
  ])
}
