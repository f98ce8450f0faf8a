import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type SignerName, scopes } from '@wp/contracts'
import {
  assertionHeader,
  createSigner,
  keyFilePaths,
  type RunningService,
  readSigningKey,
  type ServiceDefinition,
  type Subject,
  startService,
} from '@wp/service'
import { createTestDatabase } from '../databases/test-database.ts'
import { testNats } from '../test-servers.ts'
import { buildProcessEnvironment, createTemporaryKeys, hasDatabase } from './environment.ts'

/** One service on a free port, with a database, a shard and keys of its own. */
export interface TestService {
  url: string
  /** What it was started with; a second replica or a process can be started from it. */
  env: Record<string, string>
  /** The caller requests are signed for where none is named: a service principal with every scope. */
  caller: Subject
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>
  /** An assertion for this service, as the named signer would make it. */
  assertion(subject: Subject, signer?: SignerName): Promise<string>
  stop(): Promise<void>
}

export interface RequestOptions {
  caller?: Partial<Subject>
  /** Who signs; default the edge. `null`: no assertion is sent. */
  signer?: SignerName | null
  body?: unknown
  /** Sent as it is, with its own content type in `headers`. */
  rawBody?: string | Uint8Array | ReadableStream<Uint8Array>
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  headers: Headers
  /** Parsed JSON where the answer is JSON, text otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** A caller with every scope in a workspace of its own. */
export function createTestCaller(workspaceId: string, shard = 'test'): Subject {
  return {
    principal: { id: 'sp_01h455vb4pex5vsknk084sn02q', type: 'service_principal' },
    credentialId: 'sp_01h455vb4pex5vsknk084sn02q',
    workspaceId,
    shard,
    location: 'TST',
    scopes: [...scopes],
  }
}

/** Starts a service alone, as a fleet would, and signs requests to it. @param env overrides and additions */
export async function startTestService(
  definition: ServiceDefinition,
  env: Record<string, string> = {},
): Promise<TestService> {
  const { url: natsUrl, shard } = testNats()
  const keysDirectory = await createTemporaryKeys()
  const database = hasDatabase(definition.name) ? await createTestDatabase(definition.name) : undefined
  const settings = {
    baseUrl: 'http://localhost:4000',
    shard,
    location: 'TST',
    natsUrl,
    keysDirectory,
    kek: randomBytes(32).toString('base64'),
    logLevel: process.env.WP_TEST_LOG ?? 'silent',
    upstreams: {},
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128' },
  }
  const fullEnv = { ...buildProcessEnvironment(definition.name, settings, 0, database), ...env }
  const running = await startService(definition, fullEnv)
  const caller = createTestCaller('ws_01h455vb4pex5vsknk084sn02q', shard)
  const signers = new Map<SignerName, ReturnType<typeof createSigner>>()

  async function assertion(subject: Subject, signer: SignerName = 'gateway'): Promise<string> {
    const made =
      signers.get(signer) ?? createSigner(await readSigningKey(keyFilePaths(keysDirectory).keyFile(signer), signer))
    signers.set(signer, made)
    return made.sign(subject, definition.name)
  }

  return {
    url: running.url,
    env: { ...fullEnv, PORT: new URL(running.url).port },
    caller,
    assertion,
    request: async (method, path, options = {}) => {
      const signed =
        options.signer === null
          ? {}
          : { [assertionHeader]: await assertion({ ...caller, ...options.caller }, options.signer) }
      return send(running, method, path, options, signed)
    },
    async stop() {
      await running.stop()
      await database?.drop()
      await rm(keysDirectory, { recursive: true, force: true })
    },
  }
}

async function send(
  running: RunningService,
  method: string,
  path: string,
  options: RequestOptions,
  signed: Record<string, string>,
): Promise<TestResponse> {
  const json = options.body === undefined ? undefined : JSON.stringify(options.body)
  const body = options.rawBody ?? json
  const response = await fetch(running.url + path, {
    method,
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...signed, ...options.headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  return readResponse(response)
}

/** Status, headers and body of an answer, the body parsed where it is JSON. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}
