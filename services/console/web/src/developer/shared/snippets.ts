import type { SecretValue } from '../../ui/dialog/secret-dialog.tsx'
import type { Snippet } from '../../ui/values/code-block.tsx'

/** The values that a client of a service principal needs. Snippets read what is missing from the environment. */
export interface PrincipalCredential {
  baseUrl: string
  clientId?: string
  clientSecret?: string
  workspaceId: string
}

/** Returns the values of a service principal that are shown once. */
export const principalValues = ({
  baseUrl,
  clientId,
  clientSecret,
  workspaceId,
}: Required<PrincipalCredential>): SecretValue[] => [
  { label: 'Client id', variable: 'WP_CLIENT_ID', value: clientId },
  { label: 'Client secret', variable: 'WP_CLIENT_SECRET', value: clientSecret, isSecret: true },
  { label: 'Workspace id', variable: 'PLATFORM_WORKSPACE_ID', value: workspaceId },
  { label: 'Base URL', variable: 'WP_BASE_URL', value: baseUrl },
]

/** Returns programs that exchange client id and secret for an access token and make a first call with it. */
export const principalSnippets = ({
  baseUrl,
  clientId,
  clientSecret = '$WP_CLIENT_SECRET',
  workspaceId,
}: PrincipalCredential): Snippet[] => [
  {
    language: 'curl',
    code: `TOKEN=$(curl -sS ${baseUrl}/v1/auth/token \\
  -u "${clientId ?? '$WP_CLIENT_ID'}:${clientSecret}" \\
  -d grant_type=client_credentials -d workspace_id=${workspaceId} \\
  | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')

curl -sS ${baseUrl}/v1/auth/me -H "authorization: Bearer $TOKEN"`,
  },
  {
    language: 'TypeScript',
    code: `import { createClient } from '@workspace-platform/client'

const client = createClient({
  baseUrl: '${baseUrl}',
  workspaceId: '${workspaceId}',
  credential: {
    clientId: ${clientId === undefined ? "process.env.WP_CLIENT_ID ?? ''" : `'${clientId}'`},
    clientSecret: process.env.WP_CLIENT_SECRET ?? '',
  },
})

// The client exchanges the secret for an access token, and renews it.
console.log(await client.auth.me())`,
  },
  {
    language: 'Python',
    code: `import base64, json, os, urllib.parse, urllib.request

base_url = "${baseUrl}"
client = f"${clientId ?? "{os.environ['WP_CLIENT_ID']}"}:{os.environ['WP_CLIENT_SECRET']}"
form = {"grant_type": "client_credentials", "workspace_id": "${workspaceId}"}
request = urllib.request.Request(
    f"{base_url}/v1/auth/token",
    urllib.parse.urlencode(form).encode(),
    {"authorization": "Basic " + base64.b64encode(client.encode()).decode()},
)
token = json.load(urllib.request.urlopen(request))["access_token"]

request = urllib.request.Request(f"{base_url}/v1/auth/me", headers={"authorization": f"Bearer {token}"})
print(json.load(urllib.request.urlopen(request)))`,
  },
]

/** Returns the values of an API key that are shown once. */
export const apiKeyValues = (baseUrl: string, apiKey: string): SecretValue[] => [
  { label: 'API key', variable: 'WP_API_KEY', value: apiKey, isSecret: true },
  { label: 'Base URL', variable: 'WP_BASE_URL', value: baseUrl },
]

/** Returns a program that calls the API with the typed client. The key is read from the environment. */
export const typescriptSnippet = (baseUrl: string, call: string): Snippet => ({
  language: 'TypeScript',
  code: `import { createClient } from '@workspace-platform/client'

const client = createClient({
  baseUrl: '${baseUrl}',
  credential: { apiKey: process.env.WP_API_KEY ?? '' },
})

${call}`,
})

/** Returns the address at which AI clients connect. */
export const mcpAddress = (baseUrl: string): string => `${baseUrl}/api/v1/mcp/mcp`

/** Returns commands and settings that connect AI clients with an API key. */
export const mcpSnippets = (baseUrl: string): Snippet[] => [
  {
    language: 'Claude Code',
    code: `claude mcp add --transport http workspace ${mcpAddress(baseUrl)} --header "x-api-key: $WP_API_KEY"`,
  },
  {
    language: 'Cursor',
    code: JSON.stringify(
      { mcpServers: { workspace: { url: mcpAddress(baseUrl), headers: { 'x-api-key': 'key_…' } } } },
      null,
      2,
    ),
  },
  {
    language: 'curl',
    code: `curl -sS ${mcpAddress(baseUrl)} -H "x-api-key: $WP_API_KEY" \\
  -H "content-type: application/json" -H "accept: application/json, text/event-stream" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
  },
]

/** Returns programs that make a first call with an API key. Without the key they read it from the environment. */
export const apiKeySnippets = (baseUrl: string, apiKey = '$WP_API_KEY'): Snippet[] => [
  { language: 'curl', code: `curl -sS ${baseUrl}/v1/auth/me -H "x-api-key: ${apiKey}"` },
  typescriptSnippet(baseUrl, `console.log(await client.auth.me())`),
  {
    language: 'Python',
    code: `import json, os, urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/auth/me", headers={"x-api-key": os.environ["WP_API_KEY"]}
)
print(json.load(urllib.request.urlopen(request)))`,
  },
]
