import { describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, publicEndpoints } from '@wp/contracts'
import type { AccessContext, TestResponse } from '@wp/testkit'
import { createApiDocument } from '../access/api-document.ts'
import type { Actor, ActorName } from './stateful/actors.ts'
import type { KnownResource, Model } from './stateful/model.ts'
import { call, type Platform } from './stateful/platform.ts'

const document = createApiDocument()
const ids = { A: 'int_01h455vb4pex5vsknk084sn02a', B: 'int_01h455vb4pex5vsknk084sn02b' }

function endpointOf(id: string): EndpointDefinition {
  const found = publicEndpoints.find(({ definition }) => definition.id === id)
  if (found === undefined) throw new Error(`there is no endpoint ${id}`)
  return found.definition
}

const notFound = {
  success: false,
  type: 'https://api.example.com/docs/errors/not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'There is no such integration',
  request_id: 'req-12345678',
}
const integration = (name: string) => ({
  success: true,
  data: { integration_id: ids.A, deleted: true, name },
})

const respondWith = (status: number, body: unknown): TestResponse => ({
  status,
  body,
  headers: new Headers({ 'content-type': status < 400 ? 'application/json' : 'application/problem+json' }),
})

/** Creates a platform that answers every request with one response. */
function createPlatform(response: TestResponse): Platform {
  const actor = (name: ActorName): Actor => {
    const fleet = { owner: { workspaceId: `ws_of_${name}` }, request: async () => response }
    const context = { fleet, owner: { user: 'user', principal: 'principal' } } as unknown as AccessContext // all that is used of it
    return { name, mark: `mark${name.toLowerCase()}`, context }
  }
  return { actors: { A: actor('A'), B: actor('B') }, document, log: [], statuses: new Map() }
}

const family = '/v1/integrations/integrations/{integration_id}'

/** Calls an endpoint as A and returns the problems that are reported. */
async function problemsOf(id: string, response: TestResponse, owner: ActorName = 'A', isDeleted = false) {
  const target: KnownResource = { owner, params: { integration_id: ids[owner] }, isDeleted }
  const others: KnownResource = { owner: 'B', params: { integration_id: ids.B }, isDeleted: false }
  const model: Model = { resources: new Map([[family, [target, others]]]) }
  const step = { definition: endpointOf(id), actor: 'A' as const, target }
  const message = await call(model, createPlatform(response), step).then(
    () => '',
    (error: Error) => error.message,
  )
  return message.split('\nthe response:')[0]
}

const deleteIntegration = 'integrations.deleteIntegration'

describe('the checks of a response', () => {
  it('accept a declared response', async () => {
    expect(await problemsOf(deleteIntegration, respondWith(200, integration('marka')))).toBe('')
    expect(await problemsOf(deleteIntegration, respondWith(404, notFound), 'B')).toBe('')
  })

  it.each<[string, string, Parameters<typeof problemsOf>]>([
    [
      'a server error',
      'it is a server error',
      [deleteIntegration, respondWith(500, { ...notFound, status: 500, code: 'internal_error' })],
    ],
    ['an undeclared status', 'the status 418 is not documented', [deleteIntegration, respondWith(418, notFound)]],
    [
      'an undeclared error code',
      'the code seat_taken is not documented for the status 404',
      [deleteIntegration, respondWith(404, { ...notFound, code: 'seat_taken' })],
    ],
    [
      'a success for a foreign resource',
      'it succeeded for a resource of the other workspace',
      [deleteIntegration, respondWith(200, integration('marka')), 'B'],
    ],
    [
      'a foreign name',
      'it contains markb of the other workspace',
      [deleteIntegration, respondWith(200, integration('markb'))],
    ],
    [
      'a foreign id',
      `it contains ${ids.B} of the other workspace`,
      [deleteIntegration, respondWith(200, integration(ids.B))],
    ],
  ])('report %s', async (_, expected, [id, response, owner]) => {
    expect(await problemsOf(id, response, owner)).toContain(expected)
  })

  it('report a deleted resource that is returned', async () => {
    const returned = respondWith(200, integration('marka'))
    expect(await problemsOf('integrations.getIntegration', returned, 'A', true)).toContain('a deleted resource')
    expect(await problemsOf('integrations.getIntegration', returned)).not.toContain('a deleted resource')
  })
})
