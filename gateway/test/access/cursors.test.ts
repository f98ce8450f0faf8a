import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import { type AccessContext, createAccessContext, startTestFleet, type TestFleet, type TestResponse } from '@wp/testkit'
import { accessEnvironment } from './access-fixtures.ts'
import { authenticated, createEndpointCalls, type EndpointCall, rowsOf } from './endpoint-calls.ts'

let fleet: TestFleet
let context: AccessContext
let calls: ReturnType<typeof createEndpointCalls>

const hasCursor = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'shape' in schema && 'cursor' in Object(schema.shape)
const inQuery = ({ query }: EndpointDefinition) => hasCursor(query)
const lists = authenticated.filter((definition) => inQuery(definition) || hasCursor(definition.body))

const prepared = new Map<string, EndpointCall>()
const cursors = new Map<string, string>()
beforeAll(async () => {
  fleet = await startTestFleet({ env: accessEnvironment })
  context = await createAccessContext(fleet)
  calls = createEndpointCalls(context)
  const collections = new Set(lists.map(({ path }) => path))
  const readers = authenticated.filter(({ method, path }) => method === 'GET' && collections.has(parentOf(path)))
  // A fixture that fails is reported by the tests of the access suite.
  for (const definition of readers) await twice(() => calls.paramsOf(definition).catch(() => undefined))
  for (const definition of lists) {
    const call = await calls.prepareOwned(definition)
    await addElements[definition.id]?.(call.path)?.catch(() => undefined)
    prepared.set(definition.id, call)
  }
  for (const definition of lists) {
    const { body } = await send(definition, { limit: '1' })
    const cursor = body.pagination?.next_cursor ?? body.data?.next_cursor
    if (typeof cursor === 'string') cursors.set(definition.id, cursor)
  }
})
afterAll(() => fleet?.stop())

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
const twice = async (action: (index: number) => Promise<unknown>) => {
  for (const index of [1, 2]) await action(index)
}
const sendTests = (path: string) => twice(() => context.create(`${parentOf(path)}/test`))
const change = (path: string) =>
  twice((index) =>
    fleet.request('PATCH', parentOf(path), { as: context.owner.principal, body: { name: `changed ${index}` } }),
  )
const uploadRecords = (path: string) =>
  context.create(
    `${parentOf(path)}/records?mode=merge`,
    [1, 2].map((index) => ({ id: `${index}`, room: 'rooms' })),
  )

/** Adds elements to lists of which fixtures create one element or none. Takes the path of the list. */
const addElements: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'webhooks.listDeliveries': sendTests,
  'webhooks.pollDeliveries': sendTests,
  'agents.listAgentVersions': change,
  'data.listRecords': uploadRecords,
  'data.listSyncs': (path) => twice(() => context.create(`${parentOf(path)}/sync/start`)),
}

/** Sends the request of a list with further parameters, where it takes its cursor. */
function send(definition: EndpointDefinition, parameters: Record<string, string>): Promise<TestResponse> {
  const call = prepared.get(definition.id)
  if (call === undefined) throw new Error(`${definition.id} is not prepared`)
  if (!inQuery(definition)) {
    const { cursor } = parameters
    const body = definition.id === 'data.deleteRecords' ? { filter: { room: 'none' } } : { query: 'rooms' }
    return call.send({}, { ...body, ...(cursor === undefined ? { limit: 1 } : { cursor }) })
  }
  const separator = call.path.includes('?') ? '&' : '?'
  const path = `${call.path}${separator}${new URLSearchParams(parameters)}`
  return fleet.request(definition.method, path, call.request)
}

const maxForeign = 10

/** Returns the cursors of the lists after one: all of them would be more requests than a credential may send. */
function foreignCursors(id: string): [string, string][] {
  const others = [...cursors].filter(([list]) => list !== id)
  const start = lists.findIndex((definition) => definition.id === id)
  return Array.from({ length: maxForeign }, (_, at) => others[(start + at) % others.length] ?? ['', ''])
}

describe('a cursor of another list is rejected', () => {
  it.each(rowsOf(lists))('%s', async (id, definition) => {
    const pointer = inQuery(definition) ? '?cursor' : '/cursor'
    const foreign = foreignCursors(id)
    const answers: unknown[] = []
    for (const [list, cursor] of foreign) {
      const { status, body } = await send(definition, { cursor })
      answers.push({ list, status, code: body.code, pointer: body.errors?.[0]?.pointer })
    }
    expect(answers).toEqual(foreign.map(([list]) => ({ list, status: 400, code: 'invalid_cursor', pointer })))
  })
})

describe('a cursor of another resource is rejected', () => {
  it.each(rowsOf(lists.filter(({ params }) => params !== undefined)))('%s', async (id, definition) => {
    const cursor = cursors.get(id)
    if (cursor === undefined) return
    prepared.set(id, await calls.prepareOwned(definition))
    expect(await send(definition, { cursor })).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
  })
})

it('the walk has the cursors of most lists', () => {
  expect(lists.length).toBeGreaterThanOrEqual(38)
  expect(cursors.size).toBeGreaterThanOrEqual(25)
})
