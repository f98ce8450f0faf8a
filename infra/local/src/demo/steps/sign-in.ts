import { type Client, createClient } from '@wp/client'
import type { DemoOutput } from '../output.ts'
import type { Platform } from '../platform.ts'

/** Exchanges client id and secret for an access token, and creates an API key, which the following steps use. */
export async function signIn(platform: Platform, output: DemoOutput, cleanup: AsyncDisposableStack): Promise<Client> {
  const { baseUrl, clientId, clientSecret, workspaceId } = platform
  let accessToken = ''
  const bearer = createClient({ baseUrl, credential: { accessToken: () => accessToken } })
  const token = await bearer.auth.exchangeToken({
    body: {
      client_id: clientId,
      client_secret: clientSecret,
      ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
    },
  })
  if ('success' in token) throw new Error('client credentials returned a session')
  accessToken = token.access_token
  output.printProgress(
    `access token of ${clientId}, ${token.expires_in / 60} minutes, ${token.scope.split(' ').length} scopes`,
  )

  const key = await bearer.auth.createApiKey({ body: { name: 'demo' } })
  cleanup.defer(async () => void (await bearer.auth.deleteApiKey({ params: { key_id: key.key_id } })))
  const client = createClient({ baseUrl, credential: { apiKey: key.api_key } })
  const { credential } = await client.auth.me({})
  output.printProgress(`API key ${key.key_id} (…${key.last4}) for workspace ${credential.workspace_id}`)
  return client
}
