import { describe, expect, it } from '@jest/globals'
import { errorCodes, openApiDocument, publicEndpoints } from '../src/index.ts'

type Json = Record<string, unknown>

const document = openApiDocument('https://api.example.com', '1.2.3')
const { paths, components } = document as {
  paths: Record<string, Record<string, Json>>
  components: Record<string, Json>
} // the shape of every OpenAPI document
const operations = Object.values(paths).flatMap((path) => Object.values(path))

/** Every value in it, with its place. */
function* walk(value: unknown, place = '#'): Generator<[string, unknown]> {
  yield [place, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${place}/${name}`)
}

describe('the OpenAPI document', () => {
  it('describes every public endpoint once, and no other', () => {
    const described = operations.map(({ operationId }) => operationId)
    expect([...described].sort()).toEqual(publicEndpoints.map(({ definition }) => definition.id).sort())
    expect(new Set(described).size).toBe(described.length)
    expect(Object.keys(paths).filter((path) => path.startsWith('/internal/'))).toEqual([])
  })

  it('holds nothing undefined and nothing JSON cannot say', () => {
    const wrong = [...walk(document)].filter(
      ([, value]) => value === undefined || !['object', 'string', 'number', 'boolean'].includes(typeof value),
    )
    expect(wrong).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('refers to components that exist, and keeps none that nothing refers to', () => {
    const references = [...walk(document)]
      .filter(([place]) => place.endsWith('/$ref'))
      .map(([, value]) => String(value))
    const named = Object.keys(components.schemas ?? {}).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(references)].filter((reference) => !named.includes(reference))).toEqual([])
    expect(named.filter((name) => !references.includes(name))).toEqual([])
  })

  it('names each component by itself, with no identifier that another reader could resolve', () => {
    const ids = [...walk(components.schemas)].filter(([place]) => /^#\/[^/]+\/(\$?id|\$schema)$/.test(place))
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

  it('says which scope is needed, and what is open', () => {
    for (const { definition } of publicEndpoints) {
      const operation = paths[definition.path]?.[definition.method.toLowerCase()]
      expect(operation?.['x-required-scope']).toBe(definition.scope)
      expect(operation?.security).toHaveLength(
        definition.credentials === 'none' ? 0 : (definition.credentials?.length ?? 2),
      )
    }
  })

  it('tells of 201 and 202 where the contract does, and of the errors an endpoint names', () => {
    const statuses = (id: string) =>
      Object.keys((operations.find(({ operationId }) => operationId === id)?.responses ?? {}) as Json)
    expect(statuses('system.putVariable')).toEqual(expect.arrayContaining(['200', '201', '400', '401', '403']))
    expect(statuses('data.startSync')).toEqual(expect.arrayContaining(['202', '404', '409']))
    expect(statuses('system.health')).not.toContain('401')
  })

  it('knows every error code', () => {
    const problem = components.schemas?.Problem as { properties: { code: { enum: string[] } } } // written by hand in openapi.ts
    expect(problem.properties.code.enum).toEqual(errorCodes)
  })
})
