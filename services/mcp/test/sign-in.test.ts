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
  fleet = await startTestFleet({ env })
})
afterAll(async () => {
  await fleet?.stop()
  await Promise.all([mailbox?.close(), documents?.close()])
})

/** A provider that remembers everything, and opens no browser but keeps the address for the test. */
class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  readonly clientMetadataUrl = documents.url('/client.json')
  readonly clientMetadata = { client_name: 'MCP client', redirect_uris: [redirectUrl] }
  authorizationUrl: URL | undefined
  stored: StoredOAuthTokens | undefined
  #client: StoredOAuthClientInformation | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

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

const connect = async (authProvider: OAuthClientProvider) => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${fleet.baseUrl}/api/v1/mcp/mcp`), { authProvider })
  await client.connect(transport)
  return client
}

describe('an MCP client without a token', () => {
  it('finds the authorization server, signs its user in, and lists tools', async () => {
    const provider = new TestProvider()
    const transport = new StreamableHTTPClientTransport(new URL(`${fleet.baseUrl}/api/v1/mcp/mcp`), {
      authProvider: provider,
    })
    const first = new Client({ name: 'test', version: '1' })
    await expect(first.connect(transport)).rejects.toThrow(UnauthorizedError)
    const address = provider.authorizationUrl ?? new URL('http://none')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: documents.url('/client.json'),
      resource: `${fleet.baseUrl}/api/v1/mcp/mcp`,
      code_challenge_method: 'S256',
    })
    const callback = new URL(await allowClient(address, { mailbox, email: 'owner@example.com' }))
    await transport.finishAuth(callback.searchParams)
    expect(provider.stored).toMatchObject({ token_type: 'Bearer', scope: expect.stringContaining('mcp:use') })

    const client = await connect(provider)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(0)
    await client.close()
  })

  it('refreshes an expired token as its own client', async () => {
    const provider = new TestProvider()
    const transport = new StreamableHTTPClientTransport(new URL(`${fleet.baseUrl}/api/v1/mcp/mcp`), {
      authProvider: provider,
    })
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError)
    const address = provider.authorizationUrl ?? new URL('http://none')
    const callback = new URL(await allowClient(address, { mailbox, email: 'owner@example.com' }))
    await transport.finishAuth(callback.searchParams)
    const before = provider.stored
    provider.saveTokens({ ...before, access_token: 'expired', token_type: 'Bearer' })
    const client = await connect(provider)
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    expect(provider.stored?.refresh_token).not.toBe(before?.refresh_token)
    await client.close()
  })
})
