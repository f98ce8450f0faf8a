import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptedCredentials,
  type EndpointDefinition,
  respondsWithJson,
  scopes,
  serviceNames,
  serviceOf,
} from '@wp/contracts'
import {
  type AccessContext,
  createAccessContext,
  type Mailbox,
  startMailbox,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import { accessEnvironment, fixtureIdsOf, fixtureOf } from './access-fixtures.ts'
import { authenticated, createEndpointCalls, definitions, isForUsers, rowsOf } from './endpoint-calls.ts'
import { openRequests } from './open-requests.ts'
import { createExampleRecorder } from './recorded-examples.ts'

let mailbox: Mailbox
let fleet: TestFleet
let context: AccessContext
let calls: ReturnType<typeof createEndpointCalls>
const recorder = createExampleRecorder()
beforeAll(async () => {
  mailbox = await startMailbox()
  const auth = { ...accessEnvironment.auth, SMTP_URL: mailbox.url }
  fleet = await startTestFleet({ env: { ...accessEnvironment, auth } })
  context = await createAccessContext(fleet)
  calls = createEndpointCalls(context)
})
afterAll(async () => {
  await fleet?.stop()
  await mailbox?.close()
  if (process.env.RECORD_EXAMPLES === '1') recorder.write()
})

const call = async (
  definition: EndpointDefinition,
  as: string | undefined,
  params?: Record<string, string>,
  body?: unknown,
) => (await calls.prepare(definition, as, params)).send({}, body)

const statusOf = ({ created, accepted, ok, response, httpResponses = {} }: EndpointDefinition) =>
  response === 'http'
    ? Object.keys(httpResponses).map(Number)
    : created !== undefined
      ? ok === undefined
        ? [201]
        : [200, 201]
      : accepted !== undefined
        ? ok === undefined
          ? [202]
          : [200, 202]
        : [200]

it.each([...serviceNames])('%s has an access fixture for each endpoint it serves and no other', (service) => {
  const served = authenticated.filter((definition) => serviceOf(definition) === service).map(({ id }) => id)
  expect(fixtureIdsOf(service)).toEqual(served.sort())
})

const acceptsApiKey = (definition: EndpointDefinition) =>
  acceptedCredentials(definition).includes('apiKey') && definition.principals === undefined

/** A request that changes nothing can be sent with the parameters of another. */
const isShared = (definition: EndpointDefinition) =>
  definition.method === 'GET' && fixtureOf(definition).isPersonal !== true

async function expectApiKeyToSucceed(definition: EndpointDefinition, params: Record<string, string>): Promise<void> {
  expect(statusOf(definition)).toContain((await call(definition, fleet.owner.apiKey, params)).status)
}

// The tests of an endpoint share what its fixture creates. The owner comes last of those that must not reach it, so its
// success shows that it was there.
describe.each(rowsOf(authenticated))('%s', (_, definition) => {
  const { isPersonal, isForEveryone } = fixtureOf(definition)
  let params: Record<string, string>
  beforeAll(async () => {
    params = await calls.paramsOf(definition)
  })

  if (definition.params !== undefined && !isForEveryone)
    it('gives another workspace 404 for the same id', async () => {
      const { user, principal } = context.stranger
      expect(await call(definition, isForUsers(definition) ? user : principal, params)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    })

  if (isPersonal)
    it('gives every other principal of the workspace 404 for a personal id', async () => {
      const { ownerId, workspaceId, apiKey } = fleet.owner
      for (const as of [await fleet.userToken(ownerId, { workspaceId }), apiKey])
        expect(await call(definition, as, params)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })

  it('succeeds for the owner of a workspace, as documented', async () => {
    const prepared = await calls.prepare(definition, await calls.ownerCredential(definition), params)
    const answer = await prepared.send()
    if (respondsWithJson(definition))
      expect({ status: answer.status, body: answer.body }).toMatchObject({ body: { success: true } })
    expect(statusOf(definition)).toContain(answer.status)
    expect(recorder.record(definition, prepared, answer)).toEqual([])
  })

  if (acceptsApiKey(definition) && isShared(definition))
    it('succeeds with an API key', () => expectApiKeyToSucceed(definition, params))
})

describe("a body that names another workspace's resource gets 400 with a pointer to the field", () => {
  it.each(rowsOf(authenticated.filter((definition) => fixtureOf(definition).foreignReference !== undefined)))(
    '%s',
    async (_, definition) => {
      const foreign = await fixtureOf(definition).foreignReference?.(context)
      const answer = await call(definition, context.stranger.principal, {}, foreign?.body)
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: foreign?.pointer }] } })
      expect((await call(definition, context.owner.principal, {}, foreign?.body)).status).toBeLessThan(300)
    },
  )
})

describe('a request without a credential gets 401', () => {
  it.each(rowsOf(authenticated))('%s', async (_, definition) => {
    expect(await call(definition, undefined)).toMatchObject({ status: 401, body: { code: 'missing_credential' } })
  })
})

describe('a token with every scope but the required one gets 403', () => {
  let allBut: Map<string, string>
  beforeAll(async () => {
    const needed = [...new Set(authenticated.flatMap(({ scope }) => scope ?? []))]
    const tokens = needed.map(
      async (scope) =>
        [scope, await fleet.token(fleet.owner, scopes.filter((other) => other !== scope).join(' '))] as const,
    )
    allBut = new Map(await Promise.all(tokens))
  })

  it.each(rowsOf(authenticated.filter(({ scope }) => scope !== undefined)))('%s', async (_, definition) => {
    const granted = scopes.filter((other) => other !== definition.scope)
    const as = isForUsers(definition)
      ? await fleet.userToken(fleet.owner.ownerId, { workspaceId: fleet.owner.workspaceId, scopes: granted })
      : allBut.get(definition.scope ?? '')
    const answer = await call(definition, as)
    expect(answer).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: definition.scope } })
  })
})

describe('an API key gets 403 where a bearer token is required', () => {
  it.each(rowsOf(authenticated.filter((definition) => !acceptedCredentials(definition).includes('apiKey'))))(
    '%s',
    async (_, definition) => {
      expect(await call(definition, fleet.owner.apiKey)).toMatchObject({
        status: 403,
        body: { code: 'bearer_required' },
      })
    },
  )

  it.each(rowsOf(authenticated.filter((definition) => acceptsApiKey(definition) && !isShared(definition))))(
    'and succeeds at %s',
    async (_, definition) => {
      await expectApiKeyToSucceed(definition, await calls.paramsOf(definition, fleet.owner.apiKey))
    },
  )
})

describe('a service principal gets 403 where a user is required', () => {
  it.each(rowsOf(authenticated.filter(({ principals }) => principals !== undefined)))('%s', async (_, definition) => {
    expect(await call(definition, context.owner.principal)).toMatchObject({
      status: 403,
      body: { code: 'user_required' },
    })
  })
})

describe('an endpoint without credentials answers everyone', () => {
  it.each(rowsOf(definitions.filter(({ credentials, method }) => credentials === 'none' && method === 'GET')))(
    '%s',
    async (_, definition) => {
      const prepared = await calls.prepare(definition, undefined)
      const answer = await prepared.send()
      const { status } = answer
      expect(recorder.record(definition, prepared, answer)).toEqual([])
      // A browser endpoint answers missing parameters with a page or a problem.
      expect(!respondsWithJson(definition) ? [200, 400, 404] : [200]).toContain(status)
    },
  )

  it.each(Object.keys(openRequests))('%s', async (id) => {
    const definition = definitions.find((one) => one.id === id)
    if (definition === undefined) throw new Error(`no endpoint has the id ${id}`)
    const { query = '', ...request } = (await openRequests[id]?.(context, mailbox)) ?? {}
    const answer = await fleet.request(definition.method, definition.path + query, request)
    expect(answer.status).toBeLessThan(300)
    expect(recorder.record(definition, { request }, answer)).toEqual([])
  })
})
