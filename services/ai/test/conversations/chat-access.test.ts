import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { scopes } from '@wp/contracts'
import { addMember, createKey } from '../fixture/members.ts'
import { chunksOf, collectSse } from '../fixture/read-sse.ts'
import { type RunHarness, runs, startRunHarness } from '../fixture/run-harness.ts'

const conversations = '/v1/ai/conversations'
const unknownRun = 'run_01h455vb4pex5vsknk084sn02q'
const unknownConversation = 'conv_01h455vb4pex5vsknk084sn02q'
const secret = 'Dogs are allowed on Fridays'

let harness: RunHarness
/** Credentials, by kind. */
let credentials: Record<string, string> = {}
let source = ''

beforeAll(async () => {
  harness = await startRunHarness()
  const { ownerId, workspaceId } = harness.fleet.owner
  const [session, member, admin] = await Promise.all([
    harness.fleet.userToken(ownerId),
    addMember(harness, 'member'),
    addMember(harness, 'admin'),
  ])
  const restricted = (...granted: string[]) => harness.fleet.userToken(ownerId, { workspaceId, scopes: granted })
  credentials = {
    'the session of the owner': session,
    'the session of a member': member,
    'the session of an admin': admin,
    'a key that the owner created': await createKey(harness, session, scopes),
    'a key that a member created': await createKey(harness, member, ['agents:read', 'agents:run', 'ai:chat']),
    'a service principal with every scope': harness.owner,
    'a token of the owner with agents:read alone': await restricted('agents:read'),
    'a token of the owner with ai:chat alone': await restricted('ai:chat'),
    'a token of the owner with agents:run alone': await restricted('agents:run'),
  }
  const body = { name: 'Policies', provider: 'upload', config: { key: 'id' } }
  source = (await harness.call('POST', '/v1/data/sources', { body })).body.data.data_source_id
  const headers = { 'content-type': 'text/csv' }
  await harness.call('POST', `/v1/data/sources/${source}/records`, { rawBody: `id,text\np1,${secret}`, headers })
})
afterEach(() => harness.model.reset())
afterAll(() => harness?.stop())

const as = (kind: string): string => credentials[kind] ?? ''
const owner = 'the session of the owner'
const search = { toolCalls: [{ name: 'search_data', input: { query: 'dogs' } }] }

/** Starts a chat that cites a record. @returns the data of the response */
async function chat(credential: string, more: Record<string, unknown> = {}) {
  harness.model.reply(search, { text: 'On Fridays [1].' })
  const body = { messages: [{ role: 'user', content: 'Dogs?' }], ...more }
  const response = await harness.call('POST', '/v1/ai/chat', { as: credential, body })
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  return response.body.data
}

/** Requests about a chat, by name: run and conversation are replaced. */
const requests = {
  getRun: ['GET', `${runs}/<run>`],
  streamRunEvents: ['GET', `${runs}/<run>/events`],
  cancelRun: ['POST', `${runs}/<run>/cancel`],
  approveRun: ['POST', `${runs}/<run>/approve`],
  getConversation: ['GET', `${conversations}/<conversation>`],
  resumeChat: ['GET', '/v1/ai/chat/<conversation>/stream'],
  deleteConversation: ['DELETE', `${conversations}/<conversation>`],
} as const
type Name = keyof typeof requests
const names = Object.keys(requests) as Name[] // the keys of the constant above

async function send(name: Name, credential: string, run: string, conversation: string) {
  const [method, path] = requests[name]
  const body = name === 'approveRun' ? { body: {} } : {}
  const address = path.replace('<run>', run).replace('<conversation>', conversation)
  return harness.call(method, address, { as: credential, ...body })
}

const refusal = ({ status, body }: Awaited<ReturnType<typeof send>>) => ({
  status,
  code: body.code,
  detail: body.detail,
})

describe('a chat of another principal', () => {
  const others = [
    'the session of a member',
    'the session of an admin',
    'a key that the owner created',
    'a key that a member created',
    'a service principal with every scope',
  ]

  it.each(others.flatMap((kind) => names.map((name): [string, Name] => [kind, name])))(
    'does not exist when %s sends %s',
    async (kind, name) => {
      const { run_id: run, conversation_id: conversation } = await sharedChat()
      const refused = refusal(await send(name, as(kind), run, conversation))
      expect(refused.status).toBe(404)
      expect(refused).toEqual(refusal(await send(name, as(kind), unknownRun, unknownConversation)))
    },
  )

  it.each(others)('is in no list when %s reads it', async (kind) => {
    const { run_id: run, conversation_id: conversation } = await sharedChat()
    const listed = async (path: string) => (await harness.call('GET', path, { as: as(kind) })).body.data
    expect((await listed(`${runs}?limit=100`)).map(({ id }: { id: string }) => id)).not.toContain(run)
    expect(await listed(`${runs}?conversation_id=${conversation}`)).toEqual([])
    expect((await listed(conversations)).map(({ id }: { id: string }) => id)).not.toContain(conversation)
  })

  let shared: Awaited<ReturnType<typeof chat>> | undefined
  /** The chat of the owner that every row of the table asks for. */
  async function sharedChat() {
    shared ??= await chat(as(owner))
    return shared
  }
})

describe('a chat', () => {
  it.each<[string, Record<Name, number>]>([
    [
      owner,
      {
        getRun: 200,
        streamRunEvents: 200,
        cancelRun: 409,
        approveRun: 409,
        getConversation: 200,
        resumeChat: 204,
        deleteConversation: 200,
      },
    ],
    [
      'a token of the owner with agents:read alone',
      {
        getRun: 200,
        streamRunEvents: 200,
        cancelRun: 403,
        approveRun: 403,
        getConversation: 403,
        resumeChat: 403,
        deleteConversation: 403,
      },
    ],
    [
      'a token of the owner with ai:chat alone',
      {
        getRun: 403,
        streamRunEvents: 403,
        cancelRun: 403,
        approveRun: 403,
        getConversation: 200,
        resumeChat: 204,
        deleteConversation: 200,
      },
    ],
    [
      'a token of the owner with agents:run alone',
      {
        getRun: 403,
        streamRunEvents: 403,
        cancelRun: 409,
        approveRun: 403,
        getConversation: 403,
        resumeChat: 403,
        deleteConversation: 403,
      },
    ],
  ])('is answered as its owner may use it when asked with %s', async (kind, expected) => {
    const { run_id: run, conversation_id: conversation } = await chat(as(owner))
    const statuses: Record<string, number> = {}
    for (const name of names) statuses[name] = (await send(name, as(kind), run, conversation)).status
    expect(statuses).toEqual(expected)
  })

  it('belongs to the key that began it, not to the creator of the key', async () => {
    const key = as('a key that the owner created')
    const { run_id: run, conversation_id: conversation } = await chat(key)
    expect((await send('getRun', key, run, conversation)).status).toBe(200)
    expect((await send('getConversation', key, run, conversation)).status).toBe(200)
    expect((await send('getRun', as(owner), run, conversation)).status).toBe(404)
    expect((await send('getConversation', as(owner), run, conversation)).status).toBe(404)
  })

  it('has a run that nothing shows when its conversation was deleted', async () => {
    const { run_id: run, conversation_id: conversation } = await chat(as(owner))
    expect((await send('deleteConversation', as(owner), run, conversation)).status).toBe(200)
    for (const name of names) expect((await send(name, as(owner), run, conversation)).status).toBe(404)
  })

  it('is in the list of runs of its owner, in order with those of agents', async () => {
    const agent = await harness.agent()
    harness.model.reply({ text: 'first' })
    const { id: before } = (await harness.run(agent)).body.data
    const { run_id: own } = await chat(as(owner))
    harness.model.reply({ text: 'last' })
    const { id: after } = (await harness.run(agent)).body.data
    const page = async (query: string) => (await harness.call('GET', `${runs}?${query}`, { as: as(owner) })).body
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const first = await page('limit=2')
    const second = await page(`limit=2&cursor=${first.pagination.next_cursor}`)
    expect([...ids(first), ...ids(second)].slice(0, 3)).toEqual([after, own, before])
  })
})

describe('a run of an agent without a conversation', () => {
  it('is read by everyone of the workspace with agents:read', async () => {
    harness.model.reply({ text: 'shared' })
    const { id } = (await harness.run(await harness.agent())).body.data
    for (const kind of [owner, 'the session of a member', 'a key that a member created'])
      expect((await harness.call('GET', `${runs}/${id}`, { as: as(kind) })).status).toBe(200)
  })
})

describe('tool output and citations', () => {
  const reader = 'a token of the owner with agents:read alone'
  const redacted = ['tool_output', 'citations']

  it('are left out of a run when the credential has no data:read', async () => {
    const { run_id: run } = await chat(as(owner))
    const read = async (kind: string) => (await harness.call('GET', `${runs}/${run}`, { as: as(kind) })).body.data
    expect(await read(owner)).toMatchObject({
      redacted: [],
      citations: [{ key: 'p1' }],
      steps: [{ output: expect.anything() }],
    })
    const left = await read(reader)
    expect(left).toMatchObject({
      redacted,
      output: 'On Fridays [1].',
      citations: [],
      steps: [{ tool: 'search_data', status: 'finished', output: null }],
    })
    expect(JSON.stringify(left)).not.toContain(secret)
  })

  it('are left out of a stream when the credential has no data:read', async () => {
    const { run_id: run } = await chat(as(owner))
    const read = async (kind: string) =>
      chunksOf(await collectSse((await harness.open(`${runs}/${run}/events`, { as: as(kind) })).events))
    const [whole, left] = [await read(owner), await read(reader)]
    expect(JSON.stringify(whole)).toContain(secret)
    expect(JSON.stringify(left)).not.toContain(secret)
    expect(left.find(({ type }) => type === 'tool-output-available')).toMatchObject({ output: null })
    const types = (chunks: typeof whole) => chunks.map(({ type }) => type)
    expect(types(left)).toEqual(types(whole).filter((type) => type !== 'data-citation'))
    expect(left.filter(({ messageMetadata }) => messageMetadata?.redacted).map(({ type }) => type)).toEqual([
      'start',
      'finish',
    ])
    expect(left.at(-1)).toMatchObject({ messageMetadata: { run_id: run, redacted } })
  })

  it('are left out of a conversation and of the answer of a chat when the credential has no data:read', async () => {
    const { conversation_id: conversation, citations } = await chat(as(owner))
    expect(citations).toMatchObject([{ key: 'p1' }])
    const kinds = [owner, 'a token of the owner with ai:chat alone']
    const [whole, left] = await Promise.all(
      kinds.map(
        async (kind) => (await harness.call('GET', `${conversations}/${conversation}`, { as: as(kind) })).body.data,
      ),
    )
    expect(whole).toMatchObject({ redacted: [], messages: [{}, { citations: [{ key: 'p1' }] }] })
    expect(left).toMatchObject({ redacted: ['citations'], messages: [{}, { citations: [] }] })
    expect(await chat(as(kinds[1] ?? ''))).toMatchObject({ redacted: ['citations'], citations: [] })
  })

  it('are left out of a repeated answer by the scopes of the repeated request', async () => {
    const agent = await harness.agent({ tools: ['search_data'], data_source_ids: [source] })
    harness.model.reply(search, { text: ['a', 'b'], after: { chunks: 1, end: 'stall' } })
    const { id } = (await harness.run(agent, { background: true }, { as: as(owner) })).body.data
    await harness.model.request(1)
    const kinds = [owner, 'a token of the owner with agents:run alone', owner]
    const answers = []
    for (const kind of kinds)
      answers.push(
        await harness.call('POST', `${runs}/${id}/cancel`, {
          as: as(kind),
          headers: { 'idempotency-key': 'cancel-once' },
        }),
      )
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true'])
    const [first, replayed, last] = answers.map(({ body }) => body.data)
    expect(first).toMatchObject({ redacted: [], steps: [{ output: expect.anything() }] })
    expect(replayed).toMatchObject({ redacted, steps: [{ output: null }] })
    expect(last).toEqual(first)
  })
})
