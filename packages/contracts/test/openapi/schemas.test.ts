import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { openApiDocument } from '../../src/index.ts'
import { commonProperties, createComponents } from '../../src/openapi/schema/components.ts'
import { operations, resolve, walk } from './read-document.ts'

type Json = Record<string, unknown>

const document = openApiDocument('https://api.example.com', '1.2.3')
const schemas = (document.components as { schemas: Record<string, Json> }).schemas // the shape of every OpenAPI document
const pointersOf = (root: unknown, matches: (value: Json) => boolean) =>
  [...walk(root)]
    .filter(([, value]) => typeof value === 'object' && value !== null && matches(value as Json))
    .map(([pointer]) => pointer)

/** The names of schemas that responses refer to, also indirectly. */
function schemasOfResponses(): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown) => {
    for (const [pointer, reference] of walk(value)) {
      if (!pointer.endsWith('/$ref') || found.has(String(reference))) continue
      found.add(String(reference))
      visit(resolve(document, { $ref: reference }))
    }
  }
  for (const { responses } of operations(document)) visit(responses)
  return new Set([...found].flatMap((reference) => /schemas\/(.+)/.exec(reference)?.[1] ?? []))
}

const responseSchemas = Object.fromEntries([...schemasOfResponses()].map((name) => [name, schemas[name]]))

/** Yields every property of the schemas in a document: its pointer, its name and its schema. */
function* propertiesOf(root: unknown): Generator<{ pointer: string; name: string; schema: Json }> {
  for (const [pointer, value] of walk(root))
    if (pointer.endsWith('/properties') && !/\/examples?\//.test(pointer))
      for (const [name, schema] of Object.entries(value as Record<string, Json>)) yield { pointer, name, schema } // a map of schemas
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

describe('the schemas of the document', () => {
  it('describe every property, in other words than its name', () => {
    const bare = [...propertiesOf(document)]
      .filter(({ name, schema: { description = '', $ref } }) => {
        const own = String(description).replace(/(?:^|\. )Default: (?:`.*|none)$/, '')
        return own === '' ? $ref === undefined : lettersOf(own) === lettersOf(name)
      })
      .map(({ pointer, name }) => `${pointer}/${name}`)
    expect(bare).toEqual([])
  })

  it('have each common description, and prefer one of their own', () => {
    const described = [...propertiesOf(document)].filter(
      ({ name, schema }) => schema.description !== undefined && schema.description === commonProperties[name],
    )
    expect([...new Set(described.map(({ name }) => name))].sort()).toEqual(Object.keys(commonProperties).sort())
    const components = createComponents()
    const shape = z.object({
      created_at: z.string().meta({ description: 'Time of the upload' }),
      updated_at: z.string(),
    })
    expect(components.schemaOf(shape, 'output')).toMatchObject({
      properties: {
        created_at: { description: 'Time of the upload' },
        updated_at: { description: commonProperties.updated_at },
      },
    })
  })

  it('have no inline object that occurs in several places with members of its own', () => {
    const places = new Map<string, string[]>()
    for (const [pointer, value] of walk(document)) {
      if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value)) continue
      const { description: _text, ...schema } = value as Json // an object schema
      const key = JSON.stringify(schema)
      places.set(key, [...(places.get(key) ?? []), pointer])
    }
    const repeated = [...places].filter(([key, pointers]) => pointers.length > 2 && key.length > 400)
    expect(repeated).toEqual([])
  })

  it('have no bounds of JavaScript numbers', () => {
    expect(JSON.stringify(document)).not.toMatch(/9007199254740991/)
  })

  it('of responses accept fields and values of enumerations that are added later', () => {
    expect(pointersOf(responseSchemas, ({ additionalProperties }) => additionalProperties === false)).toEqual([])
    expect(pointersOf(responseSchemas, (value) => Array.isArray(value.enum))).toEqual([])
    expect(schemas.Sync).toMatchObject({
      properties: { trigger: { type: 'string', 'x-extensible-enum': ['manual', 'upload', 'schedule'] } },
    })
  })

  it('of requests reject unknown fields and values, and need no field with a default', () => {
    const components = createComponents()
    const shape = z.strictObject({ mode: z.enum(['a', 'b']).default('a'), n: z.int() }).meta({ id: 'Given' })
    const references = [components.schemaOf(shape, 'input'), components.schemaOf(shape, 'output')]
    const completed = components.complete({ paths: references })
    expect(completed.paths).toEqual([
      { $ref: '#/components/schemas/GivenInput' },
      { $ref: '#/components/schemas/Given' },
    ])
    expect(completed.components).toMatchObject({
      schemas: {
        GivenInput: { required: ['n'], additionalProperties: false, properties: { mode: { enum: ['a', 'b'] } } },
        Given: { required: ['mode', 'n'], properties: { mode: { 'x-extensible-enum': ['a', 'b'] } } },
      },
    })
  })

  it('have one name if they are the same as input and as output, also those that refer to them', () => {
    const components = createComponents()
    const inner = z.object({ at: z.string() }).meta({ id: 'Inner' })
    const outer = z.object({ inner }).meta({ id: 'Outer' })
    const open = z.looseObject({ inner: z.enum(['a']) }).meta({ id: 'Different' })
    const around = z.looseObject({ different: open }).meta({ id: 'Around' })
    const references = [outer, around].flatMap((shape) => [
      components.schemaOf(shape, 'input'),
      components.schemaOf(shape, 'output'),
    ])
    const { paths } = components.complete({ paths: references })
    expect(paths).toEqual(
      ['Outer', 'Outer', 'AroundInput', 'Around'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    )
  })

  it('cannot have the same name', () => {
    const components = createComponents()
    components.schemaOf(z.object({ a: z.string() }).meta({ id: 'Taken' }), 'output')
    expect(() => components.schemaOf(z.object({ b: z.string() }).meta({ id: 'Taken' }), 'output')).toThrow(
      'two schemas have the name Taken',
    )
  })

  it('name 64 bits for integers that may need them', () => {
    const components = createComponents()
    expect(components.schemaOf(z.object({ n: z.int(), small: z.int().min(0).max(10) }), 'output')).toMatchObject({
      properties: {
        n: { type: 'integer', format: 'int64' },
        small: { type: 'integer', minimum: 0, maximum: 10 },
      },
    })
  })
})
