import { afterAll, describe, expect, it } from '@jest/globals'
import { type Edge, startTestFleet } from '@wp/testkit'

/** Times that a member is deprovisioned and the edges are asked until they refuse. */
const repetitions = Number(process.env.DEPROVISIONING_REPETITIONS ?? 5)

const scimPath = '/v1/auth/scim/v2'
const fleet = await startTestFleet({ services: ['auth', 'system', 'data'] })
const second = await fleet.addEdge()
const owner = await fleet.token(fleet.owner)
const token = (await fleet.request('POST', '/v1/auth/scim-tokens', { as: owner, body: {} })).body.data.token
afterAll(() => fleet.stop())

/** Sends a request as a directory does, with the token as bearer token. */
const send = (method: string, path: string, body?: object, authorization = `Bearer ${token}`) =>
  fleet.request(method, scimPath + path, {
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }) },
    ...(body === undefined ? {} : { rawBody: JSON.stringify(body) }),
  })

describe('a directory at the edge', () => {
  it('gets errors of SCIM, whatever refuses the request', async () => {
    const wrong = await send(
      'GET',
      '/Users',
      undefined,
      `Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
    )
    const key = (
      await fleet.request('POST', '/v1/auth/api-key', {
        as: owner,
        body: { scopes: ['data:read'] },
      })
    ).body.data.api_key
    const answers = [
      wrong,
      await send('GET', '/Nothing'),
      await send('PUT', '/Users'),
      await send('GET', '/Users', undefined, `Bearer ${key}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 405, 403])
    for (const { status, body, headers } of answers) {
      expect(headers.get('content-type')).toBe('application/scim+json')
      expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) })
    }
    expect(wrong.headers.get('www-authenticate')).toContain('Bearer')
  })

  it('cannot do anything else with its token', async () => {
    for (const [method, path] of [
      ['GET', '/v1/auth/admin/users'],
      ['POST', '/v1/auth/api-key'],
      ['GET', '/v1/data/sources'],
    ] as const)
      expect((await fleet.request(method, path, { as: token })).status).toBe(403)
  })

  it('takes the workspace from a member at every edge at once', async () => {
    const { workspaceId } = fleet.owner
    const headers = { 'x-workspace-key': workspaceId }
    const times: number[] = []
    for (let index = 0; index < repetitions; index++) {
      const { body: user } = await send('POST', '/Users', { userName: `person-${index}@acme.test` })
      const [{ user_id: userId }] = (
        await fleet.request('GET', `/v1/auth/admin/users?email=person-${index}@acme.test`, {
          as: owner,
        })
      ).body.data
      // A member of another workspace too, so that their session goes on.
      const as = await fleet.userToken(userId)
      const ask = (edge?: Edge) => fleet.request('GET', '/v1/data/sources', { as, headers, ...(edge && { edge }) })
      expect([(await ask()).status, (await ask(second)).status]).toEqual([200, 200])
      const startedAt = performance.now()
      const change = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
      expect((await send('PATCH', `/Users/${user.id}`, change)).status).toBe(200)
      const isRefused = async (edge?: Edge) => [401, 403].includes((await ask(edge)).status)
      while (!((await isRefused()) && (await isRefused(second))));
      times.push(performance.now() - startedAt)
    }
    expect(times).toHaveLength(repetitions)
    const sorted = times.toSorted((a, b) => a - b)
    const quantile = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0)
    process.stderr.write(
      `deprovisioning ${repetitions} times: median ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, p99 ${quantile(0.99)} ms, longest ${quantile(1)} ms\n`,
    )
  })
})
