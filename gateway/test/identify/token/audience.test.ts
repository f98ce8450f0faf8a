import { afterAll, describe, expect, it } from '@jest/globals'
import { endpoint } from '@wp/contracts'
import { createLogger } from '@wp/service'
import { startTestFleet } from '@wp/testkit'
import { createAuthorizer } from '../../../src/authorize.ts'
import { config as schema } from '../../../src/config.ts'
import { createContext } from '../../../src/context.ts'

const fleet = await startTestFleet({ services: ['auth', 'system'] })
const context = await createContext(schema.parse(fleet.env('gateway')), createLogger('gateway', 'silent'), false)
afterAll(async () => {
  await context.close()
  await fleet.stop()
})

const mcpResource = () => `${fleet.baseUrl}/api/v1/mcp/mcp`

async function tokenFor(resource: string): Promise<string> {
  const { clientId, clientSecret } = fleet.owner
  const body = { client_id: clientId, client_secret: clientSecret, resource }
  return (await fleet.request('POST', '/v1/auth/token', { body })).body.access_token
}

/** An endpoint below the path of the MCP surface, which no service serves yet. */
const callTool = endpoint({ id: 'mcp.call', method: 'POST', path: '/api/v1/mcp/mcp', summary: 'Call a tool' })
const listVariables = endpoint({ id: 'system.list', method: 'GET', path: '/v1/system/workspace', summary: 'Read' })

/** Authorizes a request at the edge. Returns the principal, or the code of the error. */
async function authorize(definition: typeof callTool | typeof listVariables, token: string): Promise<string> {
  const authorization = {
    endpoint: { definition, service: 'system' as const },
    request: { headers: { authorization: `Bearer ${token}` } },
    response: { setHeader: () => undefined },
    requestId: 'req-of-this-one',
    clientAddress: '203.0.113.9',
    onIdentified: () => undefined,
  }
  try {
    // only these parts of the request and response are used
    const subject = await createAuthorizer(context)(
      authorization as unknown as Parameters<ReturnType<typeof createAuthorizer>>[0],
    )
    return subject.principal.id
  } catch (error) {
    return String(Object(error).code)
  }
}

describe('a token restricted to the MCP resource', () => {
  it('is accepted at the path of the MCP endpoint only', async () => {
    const token = await tokenFor(mcpResource())
    expect(await authorize(callTool, token)).toBe(fleet.owner.clientId)
    expect(await authorize(listVariables, token)).toBe('invalid_token')
  })

  it('is rejected by other endpoints with both resources named, and not counted as an invalid credential', async () => {
    const token = await tokenFor(mcpResource())
    for (let count = 0; count < 105; count += 1) {
      const { status, body, headers } = await fleet.request('GET', '/v1/system/workspace', { as: token })
      expect([status, body.code]).toEqual([401, 'invalid_token'])
      const detail = `The token is valid only for ${mcpResource()}; this address requires the audience ${fleet.baseUrl}`
      expect(body.detail).toBe(detail)
      expect(headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", error_description="${detail}"`)
      expect(headers.get('ratelimit')).toMatch(/^"address";r=100;/)
    }
  })
})

describe('a token restricted to the API', () => {
  it('is rejected at the path of the MCP endpoint only', async () => {
    const token = await tokenFor(fleet.baseUrl)
    expect(await authorize(callTool, token)).toBe('invalid_token')
    expect(await authorize(listVariables, token)).toBe(fleet.owner.clientId)
  })
})

describe('a token without a resource', () => {
  it('is accepted everywhere', async () => {
    const token = await fleet.token(fleet.owner)
    for (const each of [callTool, listVariables]) expect(await authorize(each, token)).toBe(fleet.owner.clientId)
  })
})
