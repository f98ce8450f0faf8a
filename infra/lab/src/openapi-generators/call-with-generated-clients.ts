import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  allowClient,
  type Mailbox,
  type Receiver,
  respond,
  startMailbox,
  startReceiver,
  startTestFleet,
  startTestServers,
  type TestFleet,
} from '@wp/testkit'
import {
  type AuthorizationCode,
  type Credentials,
  type Generator,
  type GeneratorInput,
  type GeneratorResult,
  ToolUnavailable,
} from './generator.ts'
import { goGenerator } from './go.ts'
import { javaGenerator } from './java.ts'
import { pythonGenerator } from './python.ts'
import { typescriptGenerator } from './typescript.ts'

const redirectUri = 'http://127.0.0.1:3917/callback'

const root = join(import.meta.dirname, '../../../..')
const generators: readonly Generator[] = [typescriptGenerator, pythonGenerator, goGenerator, javaGenerator]

/**
 * Generates clients from docs/openapi.json with public generators, compiles them, and calls a local fleet with them:
 * creates a data source, uploads, searches, and exchanges tokens of every form. Leaves out generators that cannot be
 * installed, with the reason.
 *
 * @param wanted parts of the names of generators; none means all
 * @returns false if a generated client failed
 */
export async function callWithGeneratedClients(wanted: readonly string[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-generators-'))
  const cache = join(root, 'node_modules/.cache/openapi-generators')
  await mkdir(cache, { recursive: true })
  const servers = await startTestServers()
  const [mailbox, documents] = await Promise.all([startMailbox(), startReceiver()])
  const fleet = await startTestFleet({
    services: ['auth', 'system', 'data'],
    env: { auth: { SMTP_URL: mailbox.url, OUTBOUND_CA_FILE: documents.caFile } },
  })
  try {
    const input: GeneratorInput = {
      document: join(root, 'docs/openapi.json'),
      cache,
      folder,
      credentials: () => makeCredentials({ fleet, mailbox, documents }),
    }
    const chosen = generators.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
    const results = []
    for (const generator of chosen) {
      const result = await runGenerator(generator, input)
      print(result)
      results.push(result)
    }
    return results.every((result) => typeof result === 'string' || result.failure === undefined)
  } finally {
    await fleet.stop()
    await Promise.all([mailbox.close(), documents.close()])
    await servers.stop()
    await rm(folder, { recursive: true })
  }
}

async function runGenerator(generator: Generator, input: GeneratorInput): Promise<GeneratorResult | string> {
  try {
    return await generator.run(input)
  } catch (error) {
    if (error instanceof ToolUnavailable) return `${generator.name}: left out: ${error.message}`
    throw error
  }
}

function print(result: GeneratorResult | string): void {
  if (typeof result === 'string') return void process.stdout.write(`${result}\n`)
  const { name, version, generated, compiled, calls, failure } = result
  process.stdout.write(`${name} ${version}: ${generated}, compiled: ${compiled}, ${calls.length} calls\n`)
  if (calls.length > 0) process.stdout.write(`  ${calls.join('; ')}\n`)
  if (failure !== undefined) process.stdout.write(`  FAILED ${failure}\n`)
}

/** A fleet with what it needs for sign-ins. */
interface CallableFleet {
  fleet: TestFleet
  mailbox: Mailbox
  /** Serves the metadata document of an OAuth client. */
  documents: Receiver
}

/** Makes credentials of every form of a token request, of a workspace of its own: the mails to one user are limited. */
async function makeCredentials(callable: CallableFleet): Promise<Credentials> {
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
