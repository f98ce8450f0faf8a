import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptedCredentials,
  type EndpointDefinition,
  respondsWithJson,
  scopes,
  serviceNames,
  serviceOf,
} from '@wp/contracts'
import type { AccessRequest } from '@wp/testkit'
import { fixtureIdsOf, fixtureOf } from './access-fixtures.ts'
import { openAccessSuite } from './access-suite.ts'
import {
  changing,
  describeConditionalRequests,
  expectStrongEtag,
  hasStrongEtag,
  sendConditional,
} from './conditional-request-tests.ts'
import { describeCursors } from './cursor-tests.ts'
import { acceptsApiKey, authenticated, definitions, isForUsers, rowsOf } from './endpoint-calls.ts'
import { describeIdempotency, idempotent, sendRepeated } from './idempotency-tests.ts'
import { describeInternalEndpoints } from './internal-endpoint-tests.ts'
import { describeMetadata } from './metadata-tests.ts'
import { openRequests } from './open-requests.ts'
import { createExampleRecorder } from './recorded-examples.ts'

const suite = openAccessSuite()
const recorder = createExampleRecorder()
afterAll(() => {
  if (process.env.RECORD_EXAMPLES === '1') recorder.write()
})

const call = async (
  definition: EndpointDefinition,
  as: string,
  params: Record<string, string>,
  built?: AccessRequest,
) => (await suite.calls.prepare(definition, as, params, built)).send()

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

/** A request that changes nothing can be sent with the parameters of another. */
const isShared = (definition: EndpointDefinition) =>
  definition.method === 'GET' && fixtureOf(definition).isPersonal !== true

async function expectApiKeyToSucceed(
  definition: EndpointDefinition,
  params: Record<string, string>,
  built?: AccessRequest,
): Promise<void> {
  expect(statusOf(definition)).toContain((await call(definition, suite.fleet.owner.apiKey, params, built)).status)
}

/** A request that changes something succeeds once. A personal resource is that of the principal that has created it. */
const isCalledOnce = (definition: EndpointDefinition) =>
  acceptsApiKey(definition) &&
  fixtureOf(definition).isPersonal !== true &&
  (idempotent.includes(definition) || changing.includes(definition))

/** Of the endpoints that are called once, every other one is called with an API key and the others with a token. */
const calledWithKey = new Set(authenticated.filter(isCalledOnce).filter((_, index) => index % 2 === 0))

// The tests of an endpoint share what its fixture creates, which takes most of their time. The owner comes last of
// those that must not reach it, so its success shows that it was there.
describe.each(rowsOf(authenticated))('%s', (_, definition) => {
  const { isPersonal, isForEveryone } = fixtureOf(definition)
  let params: Record<string, string>
  let built: AccessRequest
  beforeAll(async () => {
    params = await suite.calls.paramsOf(definition)
    built = await suite.calls.requestOf(definition)
  })
  const prepareOwned = async () => {
    const { apiKey } = suite.fleet.owner
    const as = calledWithKey.has(definition) ? apiKey : await suite.calls.ownerCredential(definition)
    return suite.calls.prepare(definition, as, params, built)
  }

  if (definition.params !== undefined && !isForEveryone)
    it('gives another workspace 404 for the same id', async () => {
      const { user, principal } = suite.context.stranger
      const token = isForUsers(definition) ? user : principal
      const as = calledWithKey.has(definition) ? suite.fleet.stranger.apiKey : token
      expect(await call(definition, as, params, built)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    })

  if (isPersonal)
    it('gives every other principal of the workspace 404 for a personal id', async () => {
      const { ownerId, workspaceId, apiKey } = suite.fleet.owner
      for (const as of [await suite.fleet.userToken(ownerId, { workspaceId }), apiKey])
        expect(await call(definition, as, params, built)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })

  const [more, send] = changing.includes(definition)
    ? [', and gets 412 for an If-Match that does not match', sendConditional]
    : idempotent.includes(definition)
      ? [', and is replayed with an idempotency key', sendRepeated]
      : ['', (...[, , prepared]: Parameters<typeof sendRepeated>) => prepared.send()]
  it(`succeeds for the owner of a workspace, as documented${more}`, async () => {
    const prepared = await prepareOwned()
    const answer = await send(suite, definition, prepared)
    if (respondsWithJson(definition))
      expect({ status: answer.status, body: answer.body }).toMatchObject({ body: { success: true } })
    expect(statusOf(definition)).toContain(answer.status)
    expect(recorder.record(definition, prepared, answer)).toEqual([])
  })

  if (hasStrongEtag(definition))
    it('has a strong ETag and answers a matching If-None-Match with 304', async () =>
      expectStrongEtag(await prepareOwned()))

  if (acceptsApiKey(definition) && isShared(definition))
    it('succeeds with an API key', () => expectApiKeyToSucceed(definition, params, built))
})

describe("a body that names another workspace's resource gets 400 with a pointer to the field", () => {
  it.each(rowsOf(authenticated.filter((definition) => fixtureOf(definition).foreignReference !== undefined)))(
    '%s',
    async (_, definition) => {
      const foreign = await fixtureOf(definition).foreignReference?.(suite.context)
      const send = (as: string) => call(definition, as, {}, { body: foreign?.body })
      const answer = await send(suite.context.stranger.principal)
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: foreign?.pointer }] } })
      expect((await send(suite.context.owner.principal)).status).toBeLessThan(300)
    },
  )
})

describe('a request without a credential gets 401', () => {
  it.each(rowsOf(authenticated))('%s', async (_, definition) => {
    expect(await suite.calls.sendBare(definition)).toMatchObject({ status: 401, body: { code: 'missing_credential' } })
  })
})

describe('a token with every scope but the required one gets 403', () => {
  let allBut: Map<string, string>
  beforeAll(async () => {
    const needed = [...new Set(authenticated.flatMap(({ scope }) => scope ?? []))]
    const tokens = needed.map(
      async (scope) =>
        [
          scope,
          await suite.fleet.token(suite.fleet.owner, scopes.filter((other) => other !== scope).join(' ')),
        ] as const,
    )
    allBut = new Map(await Promise.all(tokens))
  })

  it.each(rowsOf(authenticated.filter(({ scope }) => scope !== undefined)))('%s', async (_, definition) => {
    const granted = scopes.filter((other) => other !== definition.scope)
    const as = isForUsers(definition)
      ? await suite.fleet.userToken(suite.fleet.owner.ownerId, {
          workspaceId: suite.fleet.owner.workspaceId,
          scopes: granted,
        })
      : allBut.get(definition.scope ?? '')
    const answer = await suite.calls.sendBare(definition, as)
    expect(answer).toMatchObject({ status: 403, body: { code: 'missing_scope', required_scope: definition.scope } })
  })
})

describe('an API key gets 403 where a bearer token is required', () => {
  it.each(rowsOf(authenticated.filter((definition) => !acceptedCredentials(definition).includes('apiKey'))))(
    '%s',
    async (_, definition) => {
      expect(await suite.calls.sendBare(definition, suite.fleet.owner.apiKey)).toMatchObject({
        status: 403,
        body: { code: 'bearer_required' },
      })
    },
  )

  const others = authenticated.filter((definition) => !isShared(definition) && !isCalledOnce(definition))
  it.each(rowsOf(others.filter(acceptsApiKey)))('and succeeds at %s', async (_, definition) => {
    await expectApiKeyToSucceed(definition, await suite.calls.paramsOf(definition, suite.fleet.owner.apiKey))
  })
})

describe('a service principal gets 403 where a user is required', () => {
  it.each(rowsOf(authenticated.filter(({ principals }) => principals !== undefined)))('%s', async (_, definition) => {
    expect(await suite.calls.sendBare(definition, suite.context.owner.principal)).toMatchObject({
      status: 403,
      body: { code: 'user_required' },
    })
  })
})

describe('an endpoint without credentials answers everyone', () => {
  it.each(rowsOf(definitions.filter(({ credentials, method }) => credentials === 'none' && method === 'GET')))(
    '%s',
    async (_, definition) => {
      const prepared = await suite.calls.prepare(definition, undefined)
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
    const { query = '', ...request } = (await openRequests[id]?.(suite.context, suite.mailbox)) ?? {}
    const answer = await suite.fleet.request(definition.method, definition.path + query, request)
    expect(answer.status).toBeLessThan(300)
    expect(recorder.record(definition, { request }, answer)).toEqual([])
  })
})

describeConditionalRequests(suite)
describeIdempotency(suite)
describeMetadata(suite)
// After the others, because the lists have elements that the tests before it have created.
describeCursors(suite)
describeInternalEndpoints(suite)
