import { createHash, randomBytes } from 'node:crypto'
import { allowClient, type Mailbox, type Receiver, respond, type TestFleet } from '@wp/testkit'
import type { AuthorizationCode, Credentials } from './generator.ts'

/** A fleet with what it needs for sign-ins. */
export interface CallableFleet {
  fleet: TestFleet
  mailbox: Mailbox
  /** Serves the metadata document of an OAuth client. */
  documents: Receiver
}

const redirectUri = 'http://127.0.0.1:3917/callback'

/** Makes credentials of every form of a token request, of a workspace of its own: the mails to one user are limited. */
export async function makeCredentials(callable: CallableFleet): Promise<Credentials> {
  const { fleet } = callable
  const name = `generated-${randomBytes(4).toString('hex')}`
  const { workspaceId, ownerId, apiKey, clientId, clientSecret } = await fleet.seed(name)
  const email = `${name}@example.com`
  const [first, second] = [await fleet.signIn(ownerId), await fleet.signIn(ownerId)]
  return {
    baseUrl: fleet.baseUrl,
    workspaceId,
    apiKey,
    clientId,
    clientSecret,
    refreshTokens: [first.refresh_token, second.refresh_token],
    codes: [await authorize(callable, email), await authorize(callable, email)],
  }
}

/** Authorizes a client as a user does in a browser. */
async function authorize({ fleet, mailbox, documents }: CallableFleet, email: string): Promise<AuthorizationCode> {
  const clientId = documents.url('/client.json')
  const metadata = {
    client_id: clientId,
    client_name: 'Generated client',
    redirect_uris: ['http://127.0.0.1/callback'],
  }
  documents.setResponder(
    respond(200, { body: JSON.stringify(metadata), headers: { 'content-type': 'application/json' } }),
  )
  const codeVerifier = randomBytes(32).toString('base64url')
  const url = new URL('/v1/auth/authorize', fleet.baseUrl)
  const parameters = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'data:read',
    state: randomBytes(16).toString('hex'),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const location = await allowClient(url, { mailbox, email })
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`the authorization failed: ${location}`)
  return { code, redirectUri, clientId, codeVerifier }
}
