import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, errorCodes, publicEndpoints } from '@wp/contracts'
import { type AccessContext, createAccessContext, startTestFleet, type TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { Client } from 'pg'
import { accessEnvironment, fixtureOf } from '../access/access-fixtures.ts'
import { authenticated } from '../access/endpoint-calls.ts'
import { readRaw } from './raw-response.ts'
import { type Asked, asked, type Known } from './requests.ts'

/** The same each time, so that a change is judged and not luck; other figures search on. */
const seed = Number(process.env.WP_FUZZ_SEED ?? 20_260_105)
const numRuns = Number(process.env.WP_FUZZ_RUNS ?? 300)
/** No answer takes this long, in milliseconds. */
const longestMs = 5000

let fleet: TestFleet
let context: AccessContext
let known: Known
beforeAll(async () => {
  fleet = await startTestFleet({ env: accessEnvironment })
  await raiseLimits()
  context = await createAccessContext(fleet)
  known = await seedKnown()
}, 60_000)
afterAll(() => fleet.stop())

/** More may be asked in a minute than by default: many a request, and few ask. */
async function raiseLimits(): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000')
  await database.end()
}

/** Creates a resource for each endpoint that names one, and returns the ids by path parameter. */
async function seedKnown(): Promise<Known> {
  const created = await Promise.all(
    authenticated.map(
      async (definition): Promise<Record<string, string>> => (await fixtureOf(definition).params?.(context)) ?? {},
    ),
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

/** Whoever signs off is not known to the requests that follow. */
const harmless = ({ id }: EndpointDefinition) => id !== 'auth.logout'

const endpoints = publicEndpoints
  .map(({ definition }) => definition)
  .filter(harmless)
  .map((definition) => ({ definition, body: fixtureOf(definition).request?.body }))

/** Sends bytes and waits for the end of the connection. @throws where there is none in time */
async function send(text: string): Promise<string> {
  const { hostname, port } = new URL(fleet.baseUrl)
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1')
  })
  socket.on('error', () => undefined) // a reset is an end like another; what was said before is looked at
  const late = setTimeout(() => socket.destroy(), longestMs)
  socket.write(text, 'latin1')
  await once(socket, 'close')
  clearTimeout(late)
  return said
}

const written = ({ method, target, lines, body }: Asked) =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: x', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`

describe('whatever is asked of the edge', () => {
  it(
    'is answered, in our shape, and is no failure of ours',
    async () => {
      const statuses = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(asked(endpoints, known), async (request) => {
          const said = await send(written(request))
          const answer = readRaw(said, request.method === 'HEAD')
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          expect(answer.status < 500 ? '' : said).toBe('')
          expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,128}$/)
          // some answer people: their refusals are pages
          const isPage = answer.headers['content-type']?.startsWith('text/html') === true
          if (answer.status < 400 || request.method === 'HEAD' || isPage) return
          const problem = JSON.parse(answer.body)
          expect(problem).toMatchObject({
            success: false,
            status: answer.status,
            request_id: answer.headers['x-request-id'],
            type: `${fleet.baseUrl}/docs/errors/${problem.code}`,
          })
          expect(errorCodes).toContain(problem.code)
        }),
        { numRuns, seed },
      )
      if (process.env.WP_FUZZ_SHOW !== undefined) process.stdout.write(`${JSON.stringify([...statuses])}\n`)
      // it came far enough to matter
      expect(statuses.get(200)).toBeGreaterThan(numRuns / 20)
      expect(statuses.get(400)).toBeGreaterThan(numRuns / 20)
    },
    numRuns * 200,
  )
})
