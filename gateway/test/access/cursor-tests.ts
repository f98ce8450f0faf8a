import { beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import type { TestResponse } from '@wp/testkit'
import type { AccessSuite } from './access-suite.ts'
import { authenticated, type EndpointCall, rowsOf } from './endpoint-calls.ts'

const hasCursor = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'shape' in schema && 'cursor' in Object(schema.shape)
const inQuery = ({ query }: EndpointDefinition) => hasCursor(query)
const lists = authenticated.filter((definition) => inQuery(definition) || hasCursor(definition.body))

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
const twice = async (action: (index: number) => Promise<unknown>) => {
  for (const index of [1, 2]) await action(index)
}
const sendTests = ({ context }: AccessSuite, path: string) => twice(() => context.create(`${parentOf(path)}/test`))
const change = ({ fleet, context }: AccessSuite, path: string) =>
  twice((index) =>
    fleet.request('PATCH', parentOf(path), { as: context.owner.principal, body: { name: `changed ${index}` } }),
  )
const uploadRecords = ({ context }: AccessSuite, path: string) =>
  context.create(
    `${parentOf(path)}/records?mode=merge`,
    [1, 2].map((index) => ({ id: `${index}`, room: 'rooms' })),
  )

/** Adds elements to lists of which fixtures create one element or none. Takes the path of the list. */
const addElements: Readonly<Record<string, (suite: AccessSuite, path: string) => Promise<unknown>>> = {
  'webhooks.listDeliveries': sendTests,
  'webhooks.pollDeliveries': sendTests,
  'agents.listAgentVersions': change,
  'data.listRecords': uploadRecords,
  'data.listSyncs': ({ context }, path) => twice(() => context.create(`${parentOf(path)}/sync/start`)),
}

/** Sends the request of a list with further parameters, where it takes its cursor. */
function sendTo(
  { fleet }: AccessSuite,
  definition: EndpointDefinition,
  call: EndpointCall,
  parameters: Record<string, string>,
): Promise<TestResponse> {
  if (!inQuery(definition)) {
    const { cursor } = parameters
    const body = definition.id === 'data.deleteRecords' ? { filter: { room: 'none' } } : { query: 'rooms' }
    return call.send({}, { ...body, ...(cursor === undefined ? { limit: 1 } : { cursor }) })
  }
  const separator = call.path.includes('?') ? '&' : '?'
  const path = `${call.path}${separator}${new URLSearchParams(parameters)}`
  return fleet.request(definition.method, path, call.request)
}

const maxForeign = 3

/** Returns the cursors of the lists after one, so that every cursor is sent to several lists. */
function foreignCursors(cursors: ReadonlyMap<string, string>, id: string): [string, string][] {
  const others = [...cursors].filter(([list]) => list !== id)
  const start = lists.findIndex((definition) => definition.id === id)
  return Array.from({ length: maxForeign }, (_, at) => others[(start + at) % others.length] ?? ['', ''])
}

/** Tests the lists with the elements that earlier tests have created; only where these are too few, it creates two. */
export function describeCursors(suite: AccessSuite): void {
  const prepared = new Map<string, EndpointCall>()
  const cursors = new Map<string, string>()

  function send(definition: EndpointDefinition, parameters: Record<string, string>): Promise<TestResponse> {
    const call = prepared.get(definition.id)
    if (call === undefined) throw new Error(`${definition.id} is not prepared`)
    return sendTo(suite, definition, call, parameters)
  }

  async function readCursor(definition: EndpointDefinition): Promise<void> {
    const { body } = await send(definition, { limit: '1' })
    const cursor = body.pagination?.next_cursor ?? body.data?.next_cursor
    if (typeof cursor === 'string') cursors.set(definition.id, cursor)
  }

  beforeAll(async () => {
    for (const definition of lists) {
      const call = await suite.calls.prepareOwned(definition)
      await addElements[definition.id]?.(suite, call.path)?.catch(() => undefined)
      prepared.set(definition.id, call)
      await readCursor(definition)
    }
    for (const definition of lists.filter(({ id }) => !cursors.has(id))) {
      const reader = authenticated.find(({ method, path }) => method === 'GET' && parentOf(path) === definition.path)
      // A fixture that fails is reported by the tests of its endpoint.
      if (reader !== undefined) await twice(() => suite.calls.paramsOf(reader).catch(() => undefined))
      await readCursor(definition)
    }
  })

  describe('a cursor of another list is rejected', () => {
    it.each(rowsOf(lists))('%s', async (id, definition) => {
      const pointer = inQuery(definition) ? '?cursor' : '/cursor'
      const foreign = foreignCursors(cursors, id)
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
      prepared.set(id, await suite.calls.prepareOwned(definition))
      expect(await send(definition, { cursor })).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    })
  })

  it('the walk has the cursors of most lists', () => {
    expect(lists.length).toBeGreaterThanOrEqual(38)
    expect(cursors.size).toBeGreaterThanOrEqual(25)
  })
}
