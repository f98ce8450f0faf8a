import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { acceptedCredentials, type EndpointDefinition, scopes } from '@wp/contracts'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { callsOf, closed, definitions, fixtureOf, isForUsers, table } from './calls.ts'
import { fixtures } from './fixtures.ts'
import { createWorld, type World } from './world.ts'

let fleet: TestFleet
let world: World
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  fleet = await startTestFleet({ env: { 'webhook-delivery': { RETRY_SCHEDULE_SECONDS: '0', REPLAY_BACKLOG: '0' } } })
  world = await createWorld(fleet)
  calls = callsOf(world)
}, 60_000)
afterAll(() => fleet?.stop())

const call = async (
  definition: EndpointDefinition,
  as: string | undefined,
  params?: Record<string, string>,
  body?: unknown,
) => (await calls.prepare(definition, as, params)).send({}, body)

const statusOf = ({ created, accepted, ok }: EndpointDefinition) =>
  created !== undefined
    ? ok === undefined
      ? [201]
      : [200, 201]
    : accepted !== undefined
      ? ok === undefined
        ? [202]
        : [200, 202]
      : [200]

it('has a fixture for every endpoint, and none for what does not exist', () => {
  expect(Object.keys(fixtures).sort()).toEqual(closed.map(({ id }) => id).sort())
})

describe('the owner is served', () => {
  it.each(table(closed))('%s', async (_, definition) => {
    const answer = await call(definition, await calls.ownerOf(definition), await calls.paramsOf(definition))
    expect({ status: answer.status, body: answer.body }).toMatchObject({ body: { success: true } })
    expect(statusOf(definition)).toContain(answer.status)
  })
})

describe('a stranger finds nothing under the same id', () => {
  it.each(table(closed.filter(({ params }) => params !== undefined)))('%s', async (_, definition) => {
    const params = await calls.paramsOf(definition)
    const stranger = isForUsers(definition) ? world.strangerUser : world.stranger
    expect(await call(definition, stranger, params)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe("a body that names another workspace's resource is wrong in that field", () => {
  it.each(table(closed.filter((definition) => fixtureOf(definition).foreign !== undefined)))(
    '%s',
    async (_, definition) => {
      const foreign = await fixtureOf(definition).foreign?.(world)
      const answer = await call(definition, world.stranger, {}, foreign?.body)
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: foreign?.pointer }] } })
      expect((await call(definition, world.owner, {}, foreign?.body)).status).toBeLessThan(300)
    },
  )
})

describe('nobody is let in without a credential', () => {
  it.each(table(closed))('%s', async (_, definition) => {
    expect(await call(definition, undefined)).toMatchObject({ status: 401, body: { code: 'missing_credential' } })
  })
})

describe('every scope but the one it needs is not enough', () => {
  let allBut: Map<string, string>
  beforeAll(async () => {
    const needed = [...new Set(closed.flatMap(({ scope }) => scope ?? []))]
    const tokens = needed.map(
      async (scope) =>
        [scope, await fleet.token(fleet.owner, scopes.filter((other) => other !== scope).join(' '))] as const,
    )
    allBut = new Map(await Promise.all(tokens))
  })

  it.each(table(closed.filter(({ scope }) => scope !== undefined)))('%s', async (_, definition) => {
    const answer = await call(definition, allBut.get(definition.scope ?? ''))
    expect(answer).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: definition.scope } })
  })
})

describe('a key is no bearer token', () => {
  it.each(table(closed.filter((definition) => !acceptedCredentials(definition).includes('apiKey'))))(
    '%s',
    async (_, definition) => {
      expect(await call(definition, fleet.owner.apiKey)).toMatchObject({
        status: 403,
        body: { code: 'bearer_required' },
      })
    },
  )

  it.each(
    table(
      closed.filter(
        (definition) => acceptedCredentials(definition).includes('apiKey') && definition.principals === undefined,
      ),
    ),
  )('but opens %s', async (_, definition) => {
    const answer = await call(definition, fleet.owner.apiKey, await calls.paramsOf(definition))
    expect(answer.status).toBeLessThan(300)
  })
})

describe('a machine is no user', () => {
  it.each(table(closed.filter(({ principals }) => principals !== undefined)))('%s', async (_, definition) => {
    expect(await call(definition, world.owner)).toMatchObject({ status: 403, body: { code: 'user_required' } })
  })
})

describe('open endpoints answer anybody', () => {
  it.each(table(definitions.filter(({ credentials, method }) => credentials === 'none' && method === 'GET')))(
    '%s',
    async (_, definition) => {
      const { status } = await call(definition, undefined)
      // what a browser is sent to says on a page, or as a problem, what is missing of its parameters
      expect(definition.browser === true ? [200, 400, 404] : [200]).toContain(status)
    },
  )
})
