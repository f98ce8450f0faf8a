import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type EndpointDefinition, errorCodes, openApiDocument, publicEndpoints } from '../src/index.ts'
import { responsesOf } from '../src/openapi/responses.ts'

type Json = Record<string, unknown>

const document = openApiDocument('https://api.example.com', '1.2.3')
const { paths, components } = document as {
  paths: Record<string, Record<string, Json>>
  components: Record<string, Json>
} // the shape of every OpenAPI document
const operations = Object.values(paths).flatMap((path) => Object.values(path))

/** Yields every value of a JSON document with its pointer. */
function* walk(value: unknown, pointer = '#'): Generator<[string, unknown]> {
  yield [pointer, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${pointer}/${name}`)
}

describe('the OpenAPI document', () => {
  it('describes every public endpoint once, and no internal one', () => {
    const described = operations.map(({ operationId }) => operationId)
    expect([...described].sort()).toEqual(publicEndpoints.map(({ definition }) => definition.id).sort())
    expect(new Set(described).size).toBe(described.length)
    expect(Object.keys(paths).filter((path) => path.startsWith('/internal/'))).toEqual([])
  })

  it('marks deprecated parameters', () => {
    const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
      (parameters as Json[]).map((parameter) => ({ operationId, ...parameter })),
    ) // the shape of every operation
    const deprecated = parameters.filter((parameter) => 'deprecated' in parameter && parameter.deprecated)
    expect(deprecated).toMatchObject([
      { operationId: 'audit.listLogs', name: 'from' },
      { operationId: 'audit.listLogs', name: 'to' },
      { operationId: 'billing.getUsage', name: 'from' },
      { operationId: 'billing.getUsage', name: 'to' },
    ])
  })

  it('contains JSON values only', () => {
    const wrong = [...walk(document)].filter(
      ([, value]) => value === undefined || !['object', 'string', 'number', 'boolean'].includes(typeof value),
    )
    expect(wrong).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('references components that exist, and has no unreferenced component', () => {
    const references = [...walk(document)]
      .filter(([pointer]) => pointer.endsWith('/$ref'))
      .map(([, value]) => String(value))
    const named = Object.keys(components.schemas ?? {}).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(references)].filter((reference) => !named.includes(reference))).toEqual([])
    expect(named.filter((name) => !references.includes(name))).toEqual([])
  })

  it('has components without $id and $schema', () => {
    const ids = [...walk(components.schemas)].filter(([pointer]) => /^#\/[^/]+\/(\$?id|\$schema)$/.test(pointer))
    expect(ids).toEqual([])
  })

  it('declares every parameter of a path', () => {
    for (const [path, methods] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const operation of Object.values(methods)) {
        const parameters = operation.parameters as { in: string; name: string; required: boolean }[] // made by parametersOf
        const declared = parameters.filter((parameter) => parameter.in === 'path')
        expect(declared.map(({ name }) => name).sort()).toEqual([...names].sort())
        expect(declared.every(({ required }) => required)).toBe(true)
      }
    }
  })

  it('states the required scope and the accepted credentials of an operation', () => {
    for (const { definition } of publicEndpoints) {
      const operation = paths[definition.path]?.[definition.method.toLowerCase()]
      expect(operation?.['x-required-scope']).toBe(definition.scope)
      expect(operation?.security).toHaveLength(
        definition.credentials === 'none' ? 0 : (definition.credentials?.length ?? 2),
      )
    }
  })

  it('lists the successful statuses and the errors of an operation', () => {
    const statuses = (id: string) =>
      Object.keys((operations.find(({ operationId }) => operationId === id)?.responses ?? {}) as Json)
    expect(statuses('system.putVariable')).toEqual(expect.arrayContaining(['200', '201', '400', '401', '403']))
    expect(statuses('data.startSync')).toEqual(expect.arrayContaining(['202', '404', '409']))
    expect(statuses('system.health')).not.toContain('401')
  })

  it('lists every error code in the Problem schema', () => {
    const problem = components.schemas?.Problem as { properties: { code: { enum: string[] } } } // written by hand in openapi.ts
    expect(problem.properties.code.enum).toEqual(errorCodes)
  })
})

describe('the responses of an operation', () => {
  const responses = (definition: Partial<EndpointDefinition>, schemas: Json = {}) =>
    responsesOf({ id: 'data.x', method: 'GET', path: '/v1/data/x', summary: 'X', ...definition }, schemas)

  it('are an HTML page, a redirect or either, as declared', () => {
    const successes = (definition: Partial<EndpointDefinition>) =>
      Object.keys(responses(definition)).filter((status) => Number(status) < 400)
    expect(successes({ response: 'html' })).toEqual(['200'])
    expect(successes({ response: 'redirect' })).toEqual(['302'])
    expect(successes({ response: 'redirect', method: 'POST' })).toEqual(['303'])
    expect(successes({ response: 'html-or-redirect' })).toEqual(['200', '302'])
  })

  it('are a stream of events with the shape of their data', () => {
    const schemas: Json = {}
    const eventData = z.object({ n: z.number() }).meta({ id: 'Counted' })
    expect(responses({ response: 'events', eventData }, schemas)).toMatchObject({
      200: { content: { 'text/event-stream': { 'x-event-data': { $ref: '#/components/schemas/Counted' } } } },
    })
    expect(Object.keys(schemas)).toEqual(['Counted'])
  })

  it('are a file of one of the declared types', () => {
    expect(responses({ response: 'file', fileTypes: ['text/csv', 'application/pdf'] })).toMatchObject({
      200: { content: { 'text/csv': {}, 'application/pdf': {} }, headers: { 'Content-Disposition': {} } },
    })
  })
})
