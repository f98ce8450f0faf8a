import { describe, expect, it } from '@jest/globals'
import { endpoint } from '@wp/contracts'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { cutToSize, jsonBytes } from '../../src/tools/fit-output.ts'
import { jsonSchemaOf } from '../../src/tools/output-schema.ts'
import { createToolCatalog, inputSchemaOf } from '../../src/tools/tool-catalog.ts'

const base = { id: 'data.x', method: 'POST', path: '/', summary: 'X', ok: z.object({}), tool: { name: 'x' } } as const

describe('the input schema of a tool', () => {
  it('has path, query and body in one object, without fixed arguments', () => {
    const schema = inputSchemaOf(
      endpoint({
        ...base,
        params: z.object({ id: z.string() }),
        query: z.strictObject({ limit: z.coerce.number().default(25) }),
        body: z.strictObject({ name: z.string(), wait: z.boolean(), note: z.string().optional() }),
        tool: { name: 'x', fixed: { wait: false } },
      }),
    )
    expect(schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        limit: { type: 'number', default: 25 },
        name: { type: 'string' },
        note: { type: 'string' },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    })
  })

  it('cannot be made when two inputs have the same name, or the body is no object', () => {
    const id = z.object({ id: z.string() })
    expect(() => inputSchemaOf(endpoint({ ...base, params: id, body: id }))).toThrow('two inputs with the name id')
    expect(() => inputSchemaOf(endpoint({ ...base, body: z.array(z.string()) }))).toThrow('not an object')
  })
})

describe('the JSON Schema of a shape', () => {
  it('has no references', () => {
    const inner = z.object({ name: z.string() }).meta({ id: 'McpTestInner', description: 'The inner one' })
    const outer = z.object({ first: inner, second: inner.meta({ description: 'The second' }) })
    expect(JSON.stringify(jsonSchemaOf(outer, 'output'))).not.toContain('$ref')
    expect(jsonSchemaOf(outer, 'output').properties).toMatchObject({
      first: { type: 'object', description: 'The inner one' },
      second: { type: 'object', description: 'The second' },
    })
  })

  it('cannot be made when a shape contains itself', () => {
    const node = z.object({
      get children() {
        return z.array(node)
      },
    })
    expect(() => jsonSchemaOf(z.object({ node }), 'output')).toThrow('cannot inline')
  })
})

it('the schemas of every tool are valid JSON Schemas of objects without references', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { listed } of createToolCatalog().values())
    for (const schema of [listed.inputSchema, listed.outputSchema]) {
      expect(ajv.validateSchema(schema as SchemaObject)).toBe(true) // checked to be an object below
      expect(schema?.type).toBe('object')
      expect(JSON.stringify(schema)).not.toContain('$ref')
      // Clients in Python compile each pattern before a call.
      expect(JSON.stringify(schema)).not.toMatch(/"pattern":"[^"]*\\\\[pP]\{/)
    }
})

describe('a value that is too large', () => {
  it('is cut as little as needed, and keeps its members', () => {
    const value = { id: 'a', text: 'x'.repeat(30_000), list: Array.from({ length: 600 }, (_, index) => index) }
    const cut = cutToSize(value, 25_000)
    expect(cut).toMatchObject({ characters: 20_000, elements: 500, value: { id: 'a' } })
    expect(jsonBytes(cut?.value)).toBeLessThanOrEqual(25_000)
    expect(cutToSize(value, 5_000)).toMatchObject({ characters: 4_000, elements: 100 })
  })

  it('is not split within a character', () => {
    const cut = cutToSize({ text: `.${'😀'.repeat(30_000)}` }, 90_000)
    expect(cut).toMatchObject({ value: { text: expect.stringMatching(/^\.(😀)+\uFFFD?…$/u) } })
    expect(JSON.stringify(cut)).not.toMatch(/\\ud[89ab]/)
  })

  it('cannot be cut when it has too many members', () => {
    const members = Array.from({ length: 2_000 }, (_, index) => [`member ${index}`, index])
    expect(cutToSize(Object.fromEntries(members), 10_000)).toBeUndefined()
  })
})
