import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import type { SessionTokens } from '@wp/contracts'
import { type Context, report } from '../context.ts'

const timeoutMs = 30_000

/** Path of the redirect URI. Its port is free at each start (RFC 8252 section 7.3). */
const callbackPath = '/callback'

/** Signs in with a browser of this machine: authorization code with PKCE and a redirect to loopback (RFC 8252). */
export async function signInWithBrowser(
  context: Context,
  baseUrl: string,
): Promise<{ tokens: SessionTokens; clientId: string }> {
  const metadata = await readMetadata(baseUrl)
  const clientId = await registerClient(metadata, `wp on ${hostname()}`, `http://127.0.0.1${callbackPath}`)
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const callback = await listenForCallback()
  try {
    const address = new URL(metadata.authorization_endpoint)
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback.redirectUri,
      scope: metadata.scopes_supported.join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString()
    report(context, `Continue in the browser. If it does not open, open this address:\n${address}`)
    openBrowser(context, address.href)
    const code = readCode(await callback.parameters, state, metadata.issuer)
    const tokens = await exchangeCode(metadata, { clientId, code, verifier, redirectUri: callback.redirectUri })
    return { tokens, clientId }
  } finally {
    callback.close()
  }
}

/** Returns the code of the redirect. @throws if the user refused, or if it belongs to another request */
function readCode(parameters: URLSearchParams, state: string, issuer: string): string {
  if (parameters.get('state') !== state || parameters.get('iss') !== issuer)
    throw new Error('the browser returned with a response to another request; run wp login --web again')
  const code = parameters.get('code')
  if (code !== null) return code
  throw new Error(`the sign-in was refused: ${parameters.get('error_description') ?? parameters.get('error')}`)
}

interface Callback {
  redirectUri: string
  /** The query with which the browser returns. */
  parameters: Promise<URLSearchParams>
  close(): void
}

async function listenForCallback(): Promise<Callback> {
  let resolve: (parameters: URLSearchParams) => void = () => {}
  const parameters = new Promise<URLSearchParams>((done) => {
    resolve = done
  })
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname !== callbackPath) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    response.end('You can close this window and return to the terminal.\n', () => resolve(url.searchParams))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    redirectUri: `http://127.0.0.1:${address.port}${callbackPath}`,
    parameters,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Opens an address in the user's browser: BROWSER, or that of the operating system. A failure is not reported. */
function openBrowser({ env }: Pick<Context, 'env'>, address: string): void {
  const [command, ...args] = env.BROWSER ? [env.BROWSER] : systemCommand()
  if (command === undefined) return
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined) // the user has the address
  child.unref()
}

function systemCommand(): string[] {
  if (process.platform === 'darwin') return ['open']
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}

/** The part of the metadata of the authorization server (RFC 8414) that a sign-in needs. */
interface ServerMetadata {
  issuer: string
  authorization_endpoint: string
  registration_endpoint: string
  token_endpoint: string
  scopes_supported: readonly string[]
}

const readMetadata = async (baseUrl: string): Promise<ServerMetadata> =>
  (await request(`${baseUrl}/.well-known/oauth-authorization-server`)) as unknown as ServerMetadata
// by RFC 8414

/** Registers this program (RFC 7591) and returns its client id. The platform stores nothing. */
async function registerClient(
  { registration_endpoint }: ServerMetadata,
  name: string,
  redirectUri: string,
): Promise<string> {
  const { client_id } = await request(registration_endpoint, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  })
  return String(client_id)
}

/** Exchanges an authorization code (RFC 6749 section 4.1.3, RFC 7636). */
async function exchangeCode(
  { token_endpoint }: ServerMetadata,
  grant: { clientId: string; code: string; verifier: string; redirectUri: string },
): Promise<SessionTokens> {
  const { data } = await request(token_endpoint, {
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: grant.clientId,
      code: grant.code,
      code_verifier: grant.verifier,
      redirect_uri: grant.redirectUri,
    }),
  })
  return data as SessionTokens // declared by the contract of the token endpoint
}

/** @throws Error with the detail of an error response */
async function request(
  url: string,
  post?: { headers?: Record<string, string>; body: string | URLSearchParams },
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...(post === undefined ? {} : { method: 'POST', ...post }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = (await response.json()) as Record<string, unknown> // the platform responds with objects
  if (response.ok) return body
  throw new Error(String(body.error_description ?? body.detail ?? `${url} responded with status ${response.status}`))
}
