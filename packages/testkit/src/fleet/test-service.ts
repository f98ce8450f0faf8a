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
import { testTimeLimits } from './test-limits.ts'

/** A service on a free port, with its own database, shard and keys. */
export interface TestService {
  url: string
  /** The environment of the service, with which a second replica or a process can be started. */
  env: Record<string, string>
  /** The default caller of requests: a service principal with every scope. */
  caller: Subject
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>
  /** Creates an assertion for this service with the key of a signer. */
  assertion(subject: Subject, signer?: SignerName): Promise<string>
  stop(): Promise<void>
}

export interface RequestOptions {
  caller?: Partial<Subject>
  /** The signer; default the gateway. `null`: no assertion is sent. */
  signer?: SignerName | null
  body?: unknown
  /** Sent unchanged, with the content type in `headers`. */
  rawBody?: string | Uint8Array | ReadableStream<Uint8Array>
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  headers: Headers
  /** Parsed JSON, or the text of any other content type. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

/** Creates a caller with every scope in a workspace. */
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

/** Starts a service without a gateway and signs requests to it. @param env additional environment */
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
  const fullEnv = { ...buildProcessEnvironment(definition.name, settings, 0, database), ...testTimeLimits, ...env }
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
  const given = options.rawBody ?? json
  // `fetch` takes no bytes of shared memory.
  const body = ArrayBuffer.isView(given) ? new Uint8Array(given) : given
  const response = await fetch(running.url + path, {
    method,
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...signed, ...options.headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  return readResponse(response)
}

/** Reads a response; a JSON body is parsed. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}
