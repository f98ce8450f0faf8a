import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type EndpointDefinition, errorCodes, errors, openApiDocument } from '../../src/index.ts'
import { responsesOf } from '../../src/openapi/responses.ts'
import { createComponents } from '../../src/openapi/schema/components.ts'
import { operations, type Response, resolve } from './read-document.ts'

const document = openApiDocument('https://api.example.com', '1.2.3')
const all = operations(document)

/** Returns the responses of an operation by status, without references. */
const responsesOfId = (id: string): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(all.find(({ operationId }) => operationId === id)?.responses ?? {}).map(([status, response]) => [
      status,
      resolve(document, response) as Response, // a response or a reference to one
    ]),
  )
const codesOf = (id: string, status: number) => responsesOfId(id)[status]?.['x-problem-codes'] ?? []
const headersOf = (id: string, status: number) => Object.keys(responsesOfId(id)[status]?.headers ?? {})

describe('the responses of the document', () => {
  it('have the statuses of every endpoint', () => {
    for (const { responses } of all)
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['400', '405', '408', '429', '431', '500', '502', '503', '504']),
      )
  })

  it('have the statuses and codes that follow from the definition of an endpoint', () => {
    expect(Object.keys(responsesOfId('data.updateSource'))).toEqual(
      expect.arrayContaining(['401', '403', '404', '409', '412', '413', '415', '422']),
    )
    expect(codesOf('data.createSource', 409)).toEqual(['idempotency_in_flight'])
    expect(codesOf('auth.createApiKey', 409)).toContain('secret_not_replayable')
    expect(codesOf('auth.createApiKey', 403)).toEqual(
      expect.arrayContaining([
        'bearer_required',
        'missing_scope',
        'workspace_forbidden',
        'workspace_mismatch',
        'scope_escalation',
      ]),
    )
    expect(codesOf('auth.updateMe', 403)).toEqual(expect.arrayContaining(['user_required', 'insufficient_scope']))
    expect(codesOf('data.listSources', 400)).toContain('invalid_cursor')
    expect(codesOf('data.listSources', 401)).toEqual(
      expect.arrayContaining(['missing_credential', 'expired_credential', 'revoked_credential', 'invalid_token']),
    )
    expect(codesOf('mcp.message', 403)).toContain('origin_forbidden')
    expect(Object.keys(responsesOfId('mcp.message'))).toEqual(expect.arrayContaining(['202', '406']))
    expect(codesOf('auth.updateUserNamed', 404)).toEqual(['not_found'])
    expect(Object.keys(responsesOfId('system.health'))).not.toContain('401')
    expect(Object.keys(responsesOfId('data.getSource'))).not.toContain('413')
    expect(Object.keys(responsesOfId('system.putVariable'))).toEqual(expect.arrayContaining(['200', '201']))
  })

  it('have each code under its own status, with an example', () => {
    for (const { responses } of all)
      for (const [status, reference] of Object.entries(responses)) {
        const response = resolve(document, reference) as Response // a response or a reference to one
        const codes = response['x-problem-codes'] ?? []
        for (const code of codes)
          expect([code, errors[code as keyof typeof errors].status]).toEqual([code, Number(status)])
        const [media] = Object.values(response.content ?? {})
        if (codes.length > 0) expect(Object.keys(media?.examples ?? {})).toEqual(codes)
      }
  })

  it('of the token endpoints are JSON with the members of OAuth errors', () => {
    for (const id of ['auth.exchangeToken', 'auth.revokeToken', 'auth.registerClient'])
      for (const [status, { content }] of Object.entries(responsesOfId(id)))
        if (Number(status) >= 400) expect(Object.keys(content ?? {})).toEqual(['application/json'])
    expect(codesOf('auth.exchangeToken', 400)).toEqual(
      expect.arrayContaining(['invalid_grant', 'unsupported_grant_type', 'invalid_target']),
    )
    const { schemas } = document.components as { schemas: Record<string, unknown> } // the shape of every OpenAPI document
    expect(schemas.OAuthProblem).toMatchObject({ allOf: [{}, { required: ['error', 'error_description'] }] })
  })

  it('have the header fields that clients need', () => {
    for (const id of ['data.getSource', 'system.health'])
      expect(headersOf(id, 200)).toEqual(expect.arrayContaining(['x-request-id', 'RateLimit', 'RateLimit-Policy']))
    expect(headersOf('data.getSource', 200)).toContain('ETag')
    expect(headersOf('data.getSource', 304)).toContain('ETag')
    expect(headersOf('webhooks.getSecret', 200)).not.toContain('ETag')
    expect(headersOf('data.createSource', 201)).toEqual(expect.arrayContaining(['Location', 'Idempotency-Replayed']))
    expect(headersOf('data.createSource', 429)).toContain('Retry-After')
    expect(headersOf('data.createSource', 401)).toContain('WWW-Authenticate')
    expect(headersOf('data.createSource', 405)).toContain('Allow')
  })

  it('list every error code in the Problem schema', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> } // the shape of every OpenAPI document
    expect(schemas.Problem).toMatchObject({ properties: { code: { 'x-extensible-enum': errorCodes } } })
  })
})

describe('the responses of an operation', () => {
  const responses = (definition: Partial<EndpointDefinition>, components = createComponents()) =>
    responsesOf({ id: 'data.x', method: 'GET', path: '/v1/data/x', summary: 'X', ...definition }, false, components)

  it('are a stream of events with the shape of their data', () => {
    const components = createComponents()
    const eventData = z.object({ n: z.number() }).meta({ id: 'Counted' })
    const document = components.complete({ paths: responses({ response: 'events', eventData }, components) })
    const contentSchema = { $ref: '#/components/schemas/CountedStreamEvent' }
    expect(document.paths).toMatchObject({ 200: { content: { 'text/event-stream': { schema: { contentSchema } } } } })
    const data = { contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Counted' } }
    expect(document.components).toMatchObject({ schemas: { CountedStreamEvent: { properties: { data } } } })
  })

  it('are a file of one of the declared types', () => {
    expect(responses({ response: 'file', fileTypes: ['text/csv', 'application/pdf'] })).toMatchObject({
      200: { content: { 'text/csv': {}, 'application/pdf': {} }, headers: { 'Content-Disposition': {} } },
    })
  })

  it('cannot be those of a page of a browser', () => {
    expect(() => responses({ response: 'html' })).toThrow('page of a browser')
  })
})
