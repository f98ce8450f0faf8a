import { rm } from 'node:fs/promises'
import { endpoint, listQuery, type Operations, problem, type RequestCaller, type SignerName, text } from '@wp/contracts'
import {
  buildProcessEnvironment,
  createTemporaryKeys,
  createTestCaller,
  readResponse,
  type TestResponse,
} from '@wp/testkit'
import { z } from 'zod'
import {
  assertionHeader,
  bindSurface,
  createSigner,
  defineService,
  keyFilePaths,
  processConfig,
  type RunningService,
  readSigningKey,
  type Service,
  type Subject,
  startService,
} from '../src/index.ts'

const Box = z.object({ id: z.string(), name: z.string(), size: z.number() }).meta({ id: 'Box' })
const boxPath = z.object({ id: z.string().regex(/^box_\d+$/) })

/** A surface with one endpoint of each kind. */
export const boxes = {
  list: endpoint({
    id: 'data.list',
    method: 'GET',
    path: '/v1/data/boxes',
    summary: 'List',
    scope: 'data:read',
    query: listQuery({ name: text(10).optional() }),
    list: Box,
  }),
  create: endpoint({
    id: 'data.create',
    method: 'POST',
    path: '/v1/data/boxes',
    summary: 'Create',
    scope: 'data:write',
    body: z.strictObject({
      name: text(10),
      size: z.number().default(1),
      tags: z.array(z.strictObject({ word: text(3) })).default([]),
    }),
    created: Box,
    location: '/v1/data/boxes/{id}',
  }),
  read: endpoint({
    id: 'data.read',
    method: 'GET',
    path: '/v1/data/boxes/{id}',
    summary: 'Read',
    scope: 'data:read',
    params: boxPath,
    ok: Box,
  }),
  change: endpoint({
    id: 'data.change',
    method: 'PATCH',
    path: '/v1/data/boxes/{id}',
    summary: 'Change',
    scope: 'data:write',
    params: boxPath,
    body: z.strictObject({ name: text(10).optional() }),
    ok: Box,
  }),
  remove: endpoint({
    id: 'data.remove',
    method: 'DELETE',
    path: '/v1/data/boxes/{id}',
    summary: 'Remove',
    params: boxPath,
    deleted: 'box_id',
  }),
  changeNamed: endpoint({
    id: 'data.changeNamed',
    method: 'PATCH',
    path: '/v1/data/boxes',
    summary: 'Change, with the id in the body',
    resourceIdField: 'id',
    body: z.strictObject({ id: boxPath.shape.id, name: text(10).optional() }),
    ok: Box,
  }),
  removeNamed: endpoint({
    id: 'data.removeNamed',
    method: 'DELETE',
    path: '/v1/data/boxes',
    summary: 'Remove, with the id in the query',
    resourceIdField: 'id',
    query: boxPath.strict(),
    deleted: 'box_id',
  }),
  readUsed: endpoint({
    id: 'data.readUsed',
    method: 'GET',
    path: '/v1/data/used',
    summary: 'Read the box that counts its reads',
    volatile: ['size'],
    ok: Box,
  }),
  changeUsed: endpoint({
    id: 'data.changeUsed',
    method: 'PATCH',
    path: '/v1/data/used',
    summary: 'Change the box that counts its reads',
    volatile: ['size'],
    body: z.strictObject({ name: text(10).optional() }),
    ok: Box,
  }),
  put: endpoint({
    id: 'data.put',
    method: 'POST',
    path: '/v1/data/boxes/{id}/put',
    summary: 'Put',
    params: boxPath,
    body: z.strictObject({ fresh: z.boolean() }),
    ok: Box,
    created: Box,
    location: '/v1/data/boxes/{id}',
  }),
  touch: endpoint({
    id: 'data.touch',
    method: 'POST',
    path: '/v1/data/boxes/{id}/touch',
    summary: 'Touch',
    params: boxPath,
    ok: Box,
  }),
  keep: endpoint({
    id: 'data.keep',
    method: 'POST',
    path: '/v1/data/kept',
    summary: 'Accept any object',
    body: z.record(z.string(), z.unknown()),
    ok: z.object({ kept: z.boolean() }),
  }),
  token: endpoint({
    id: 'data.token',
    method: 'POST',
    path: '/v1/data/token',
    summary: 'Speak OAuth',
    credentials: 'none',
    input: 'form',
    limitClass: 'token',
    body: z.object({ client_id: z.string().optional() }),
    bare: z.object({ client_id: z.string().nullable() }),
  }),
  open: endpoint({
    id: 'data.open',
    method: 'GET',
    path: '/v1/data/open',
    summary: 'Open',
    credentials: 'none',
    ok: z.object({ who: z.string() }),
  }),
  people: endpoint({
    id: 'data.people',
    method: 'GET',
    path: '/v1/data/people',
    summary: 'People',
    principals: ['user'],
    credentials: ['bearer'],
    ok: z.object({ who: z.string() }),
  }),
  fill: endpoint({
    id: 'data.fill',
    method: 'POST',
    path: '/v1/data/boxes/{id}/fill',
    summary: 'Fill',
    params: boxPath,
    input: 'stream',
    contentTypes: ['text/csv'],
    ok: z.object({ bytes: z.number(), charset: z.string().nullable(), asynchronous: z.boolean() }),
  }),
  broken: endpoint({ id: 'data.broken', method: 'GET', path: '/v1/data/broken', summary: 'Broken', ok: Box }),
  failing: endpoint({ id: 'data.failing', method: 'GET', path: '/v1/data/failing', summary: 'Failing', ok: Box }),
  internal: endpoint({
    id: 'data.internal',
    method: 'GET',
    path: '/internal/data/internal',
    summary: 'Internal',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    ok: z.object({ who: z.string(), workspace: z.string().nullable() }),
  }),
  ownCall: endpoint({
    id: 'data.ownCall',
    method: 'GET',
    path: '/internal/data/own-call',
    summary: 'On its own behalf',
    audience: 'internal',
    workspace: 'none',
    allowsSystemCalls: true,
    callers: ['solutions'],
    ok: z.object({ who: z.string(), workspace: z.string().nullable() }),
  }),
  delegated: endpoint({
    id: 'data.delegated',
    method: 'GET',
    path: '/internal/data/delegated',
    summary: 'For a caller with the scope, or for a delegated use',
    audience: 'internal',
    workspace: 'none',
    scope: 'data:read',
    delegations: ['agent_model'],
    callers: ['ai', 'solutions'],
    ok: z.object({ who: z.string() }),
  }),
}

/** The context of the operations: the inputs they were called with, newest last, and their state. */
export interface BoxContext {
  callers: RequestCaller[]
  bodies: unknown[]
  /** `read` waits for it. */
  gate: Promise<void>
  /** A box whose size is the number of times it was read. */
  used: { name: string; size: number }
}

const who = (caller: RequestCaller) => ({ who: caller.principal.id, workspace: caller.workspaceId })

export const operations: Operations<typeof boxes, BoxContext> = {
  list: async (_, __, { query }) => ({
    items: [{ id: 'box_1', name: query.name ?? 'any', size: query.limit }],
    nextCursor: query.cursor ?? 'box_1',
  }),
  async create(seen, caller, { body }) {
    seen.callers.push(caller)
    seen.bodies.push(body)
    return { id: 'box_9', name: body.name, size: body.size, secret: 'never declared' }
  },
  async read(seen, caller, { params }) {
    seen.callers.push(caller)
    await seen.gate
    if (params.id === 'box_404') throw problem('not_found')
    return { id: params.id, name: 'one', size: 1 }
  },
  change: async (_, __, { params, body }) => ({ id: params.id, name: body.name ?? 'one', size: 1 }),
  remove: async (_, __, { params }) => ({ id: params.id }),
  changeNamed: async (_, __, { body }) => ({ id: body.id, name: body.name ?? 'one', size: 1 }),
  removeNamed: async (_, __, { query }) => ({ id: query.id }),
  async readUsed({ used }) {
    used.size += 1
    return { id: 'box_7', ...used }
  },
  async changeUsed({ used }, _, { body }) {
    used.name = body.name ?? used.name
    return { id: 'box_7', ...used }
  },
  put: async (_, __, { params, body }) => ({
    status: body.fresh ? 'created' : 'ok',
    data: { id: params.id, name: 'put', size: 1 },
  }),
  touch: async (_, __, { params }) => ({ id: params.id, name: 'touched', size: 1 }),
  keep: async () => ({ kept: true }),
  token: async (_, __, { body }) => ({ client_id: body.client_id ?? null }),
  open: async (_, caller) => who(caller),
  people: async (_, caller) => who(caller),
  async fill(_, __, { body }) {
    let bytes = 0
    for await (const chunk of body.chunks) bytes += chunk.length
    return { bytes, charset: body.charset ?? null, asynchronous: body.respondAsync }
  },
  broken: async () => ({ id: 'box_1', name: 'no size' }) as never,
  failing: async () => {
    throw new Error('the password of the database is hunter2')
  },
  internal: async (_, caller) => who(caller),
  ownCall: async (_, caller) => who(caller),
  delegated: async (_, caller) => who(caller),
}

export interface BoxService {
  running: RunningService
  seen: BoxContext
  caller: Subject
  keysDirectory: string
  env: Record<string, string>
  request(method: string, path: string, options?: BoxRequest): Promise<TestResponse>
  sign(subject?: Partial<Subject>, signer?: SignerName, audience?: string): Promise<string>
  stop(): Promise<void>
}

export interface BoxRequest {
  caller?: Partial<Subject>
  signer?: SignerName
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
}

/** Starts the surface as a service. @param parts further parts of the service */
export async function startBoxes(
  log?: Parameters<typeof startService>[2],
  parts: Partial<Service> = {},
): Promise<BoxService> {
  const keysDirectory = await createTemporaryKeys()
  const seen: BoxContext = { callers: [], bodies: [], gate: Promise.resolve(), used: { name: 'used', size: 0 } }
  const settings = {
    baseUrl: 'https://api.example.com',
    shard: 'test',
    location: 'TST',
    natsUrl: '',
    keysDirectory,
    kek: '',
    logLevel: 'silent',
    upstreams: {},
    outbound: {},
  }
  const env = buildProcessEnvironment('data', settings, 0)
  const definition = defineService({
    name: 'data',
    config: z.object(processConfig),
    createContext: async () => seen,
    createService: (context) => ({
      surfaces: [bindSurface(boxes, operations, context)],
      close: async () => undefined,
      ...parts,
    }),
  })
  const running = await startService(definition, env, log)
  const caller = createTestCaller('ws_01h455vb4pex5vsknk084sn02q')

  async function sign(subject: Partial<Subject> = {}, signer: SignerName = 'gateway', audience = 'data') {
    const key = await readSigningKey(keyFilePaths(keysDirectory).keyFile(signer), signer)
    return createSigner(key).sign({ ...caller, ...subject }, audience)
  }

  return {
    running,
    seen,
    caller,
    keysDirectory,
    env,
    sign,
    async request(method, path, { caller: subject, signer, headers = {}, json, body } = {}) {
      const content = json === undefined ? body : JSON.stringify(json)
      const type = json === undefined ? {} : { 'content-type': 'application/json' }
      const signed = assertionHeader in headers ? {} : { [assertionHeader]: await sign(subject, signer) }
      const init = {
        method,
        headers: { ...type, ...signed, ...headers },
        ...(content === undefined ? {} : { body: content, duplex: 'half' as const }),
      }
      return readResponse(await fetch(running.url + path, init))
    },
    async stop() {
      await running.stop()
      await rm(keysDirectory, { recursive: true, force: true })
    },
  }
}
