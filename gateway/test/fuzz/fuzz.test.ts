import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, errorCodes, publicEndpoints } from '@wp/contracts'
import { type AccessContext, createAccessContext, startTestFleet, type TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { accessEnvironment, fixtureOf } from '../access/access-fixtures.ts'
import { authenticated } from '../access/endpoint-calls.ts'
import { removeRateLimits } from './rate-limits.ts'
import { parseRawResponse } from './raw-response.ts'
import { type FuzzRequest, fuzzRequests, type KnownResources } from './requests.ts'
import { describeSequences } from './stateful/sequences.ts'

/** Fixed by default, so that a failure is caused by a change; other values explore further. */
const seed = Number(process.env.WP_FUZZ_SEED ?? 20_260_105)
const numRuns = Number(process.env.WP_FUZZ_RUNS ?? 80)
/** Time limit of a response, in milliseconds. Generous, because the machine may be shared. */
const responseTimeoutMs = 60_000

let fleet: TestFleet
let context: AccessContext
let known: KnownResources
beforeAll(async () => {
  fleet = await startTestFleet({ env: accessEnvironment })
  await removeRateLimits(fleet)
})
afterAll(() => fleet?.stop())

// First, because the generated requests leave their resources.
describeSequences(() => fleet)

/** The fixtures by the path of the resource; that of its GET if it has one. */
const resources = new Map(
  [...authenticated.filter(({ method }) => method !== 'GET'), ...authenticated.filter(({ method }) => method === 'GET')]
    .filter(({ params }) => params !== undefined)
    .map((definition) => [definition.path.slice(0, definition.path.lastIndexOf('}')), fixtureOf(definition)]),
)

/** Creates a resource of each kind that paths name, and returns the ids by path parameter. */
async function seedKnown(): Promise<KnownResources> {
  const created = await Promise.all(
    [...resources.values()].map(async ({ params }): Promise<Record<string, string>> => (await params?.(context)) ?? {}),
  )
  const { id: _id, ...params } = Object.assign({}, ...created) as Record<string, string> // fixtures return text alone
  const ids = created.flatMap(({ id }) => id ?? [])
  return {
    params,
    ids: [...ids, fleet.stranger.workspaceId],
    credentials: [
      `Authorization: Bearer ${context.owner.principal}`,
      `Authorization: Bearer ${context.owner.user}`,
      `Authorization: Bearer ${context.stranger.principal}`,
      `x-api-key: ${fleet.owner.apiKey}`,
    ],
  }
}

/** Logout would end the session of later requests. */
const isRepeatable = ({ id }: EndpointDefinition) => id !== 'auth.logout'

const endpoints = publicEndpoints
  .map(({ definition }) => definition)
  .filter(isRepeatable)
  .map((definition) => ({ definition, body: fixtureOf(definition).request?.body }))

/** Sends bytes and returns everything received until the connection is closed. */
async function send(text: string): Promise<string> {
  const { hostname, port } = new URL(fleet.baseUrl)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    // a stream of events does not end by itself
    if (/^content-type: text\/event-stream[\s\S]*\r\n\r\n/im.test(received)) socket.destroy()
  })
  socket.on('error', () => undefined) // a reset counts as a close; what was received before is checked
  const timeLimit = setTimeout(() => socket.destroy(), responseTimeoutMs)
  socket.write(text, 'latin1')
  await once(socket, 'close')
  clearTimeout(timeLimit)
  return received
}

const written = ({ method, target, lines, body }: FuzzRequest) =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: x', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`

describe('a generated request', () => {
  beforeAll(async () => {
    context = await createAccessContext(fleet)
    known = await seedKnown()
  })

  it(
    'gets a valid response that is no server error',
    async () => {
      const statuses = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(fuzzRequests(endpoints, known), async (request) => {
          const received = await send(written(request))
          const response = parseRawResponse(received, request.method === 'HEAD')
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          // 501 is the declared answer to bulk requests of a directory
          expect(response.status < 500 || response.status === 501 ? '' : received).toBe('')
          expect(response.headers['x-request-id']).toMatch(/^[\w.-]{8,128}$/)
          // pages report errors as pages
          const isPage = response.headers['content-type']?.startsWith('text/html') === true
          if (response.status < 400 || response.status === 501 || request.method === 'HEAD' || isPage) return
          const problem = JSON.parse(response.body)
          // messages of the Model Context Protocol are answered in its own format
          if (problem.jsonrpc === '2.0') return expect(problem.error).toMatchObject({ code: expect.any(Number) })
          // errors of a registration have the format of RFC 7591
          if (typeof problem.error_description === 'string' && !('success' in problem))
            return expect(problem).toEqual({ error: expect.any(String), error_description: expect.any(String) })
          expect(problem).toMatchObject({
            success: false,
            // a text in the errors of RFC 7644
            status: 'schemas' in problem ? String(response.status) : response.status,
            request_id: response.headers['x-request-id'],
            type: `${fleet.baseUrl}/docs/errors/${problem.code}`,
          })
          expect(errorCodes).toContain(problem.code)
        }),
        { numRuns, seed },
      )
      if (process.env.WP_FUZZ_SHOW !== undefined) process.stdout.write(`${JSON.stringify([...statuses])}\n`)
      // enough requests reached the services
      expect(statuses.get(200)).toBeGreaterThan(numRuns / 20)
      expect(statuses.get(400)).toBeGreaterThan(numRuns / 20)
    },
    Math.max(300_000, numRuns * 200),
  )
})
