import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { mcpScopes } from '@wp/contracts'
import {
  allowClient,
  type Mailbox,
  type Receiver,
  respond,
  startMailbox,
  startReceiver,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'

const redirectUrl = 'http://127.0.0.1:3917/callback'

let fleet: TestFleet
let mailbox: Mailbox
let documents: Receiver
beforeAll(async () => {
  ;[mailbox, documents] = await Promise.all([startMailbox(), startReceiver()])
  const document = { client_id: documents.url('/client.json'), client_name: 'MCP client', redirect_uris: [redirectUrl] }
  const headers = { 'content-type': 'application/json' }
  documents.setResponder(respond(200, { body: JSON.stringify(document), headers }))
  const env = { auth: { SMTP_URL: mailbox.url, OUTBOUND_CA_FILE: documents.caFile } }
  fleet = await startTestFleet({ services: ['auth', 'system', 'mcp'], env })
})
afterAll(async () => {
  await fleet?.stop()
  await Promise.all([mailbox?.close(), documents?.close()])
})

/** A provider that keeps everything in memory, and the address that a browser would open. */
class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  readonly clientMetadata = { client_name: 'MCP client', redirect_uris: [redirectUrl] }
  readonly clientMetadataUrl?: string
  authorizationUrl = new URL('http://none')
  stored: StoredOAuthTokens | undefined
  #client: StoredOAuthClientInformation | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  state = () => 'state of the client'
  clientInformation = () => this.#client
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.#client = client
  }
  tokens = () => this.stored
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.stored = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovery = state
  }
  discoveryState = () => this.#discovery
}

const mcpUrl = () => `${fleet.baseUrl}/api/v1/mcp/mcp`
const createTransport = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(mcpUrl()), { authProvider })
const createClient = () => new Client({ name: 'test', version: '1' })

/** Connects without a token, lets the user allow the client, and gets tokens. */
async function signIn(provider: TestProvider): Promise<void> {
  const transport = createTransport(provider)
  await expect(createClient().connect(transport)).rejects.toThrow(UnauthorizedError)
  const callback = await allowClient(provider.authorizationUrl, { mailbox, email: 'owner@example.com' })
  await transport.finishAuth(new URL(callback).searchParams)
}

async function countTools(provider: TestProvider): Promise<number> {
  const client = createClient()
  await client.connect(createTransport(provider))
  const { tools } = await client.listTools()
  await client.close()
  return tools.length
}

describe('an MCP client without a token', () => {
  it('finds the authorization server, signs its user in, and lists tools', async () => {
    const provider = new TestProvider(documents.url('/client.json'))
    await signIn(provider)
    expect(Object.fromEntries(provider.authorizationUrl.searchParams)).toMatchObject({
      client_id: documents.url('/client.json'),
      resource: mcpUrl(),
      scope: mcpScopes.join(' '),
      code_challenge_method: 'S256',
    })
    expect(provider.stored).toMatchObject({ token_type: 'Bearer', scope: mcpScopes.join(' ') })
    expect(await countTools(provider)).toBeGreaterThan(0)
  })

  it('registers itself when it has no metadata document', async () => {
    const provider = new TestProvider()
    await signIn(provider)
    expect(provider.authorizationUrl.searchParams.get('client_id')).toMatch(/^dcr\./)
    expect(await countTools(provider)).toBeGreaterThan(0)
  })

  it('refreshes an invalid token as its own client', async () => {
    const provider = new TestProvider(documents.url('/client.json'))
    await signIn(provider)
    const before = provider.stored
    provider.saveTokens({ ...before, access_token: 'invalid', token_type: 'Bearer' })
    expect(await countTools(provider)).toBeGreaterThan(0)
    expect(provider.stored?.refresh_token).not.toBe(before?.refresh_token)
  })
})
