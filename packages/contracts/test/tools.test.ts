import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type EndpointDefinition, endpoint, listQuery, respondsWithJson, type ToolDefinition } from '../src/index.ts'
import { allEndpoints, publicDefinitions } from './fixture/endpoints.ts'

/** Returns the names of the inputs of an endpoint: path parameters, query parameters and fields of the body. */
function inputNames({ params, query, body }: EndpointDefinition): string[] {
  const shapes = [params, query, body].filter((shape) => shape instanceof z.ZodObject)
  return shapes.flatMap((shape) => Object.keys(shape.shape))
}

/** Returns the problems of the tools of some endpoints; none if all are valid. */
function toolProblems(definitions: readonly EndpointDefinition[]): string[] {
  const withTool = definitions.filter((definition) => definition.tool !== undefined)
  const toolNames = withTool.flatMap(({ tool }) => tool?.name ?? [])
  const inTurn = withTool.flatMap((definition) => problemsOf(definition, definition.tool, toolNames))
  return [...repeated(toolNames).map((name) => `${name} is not unique`), ...inTurn]
}

function problemsOf(definition: EndpointDefinition, tool: ToolDefinition | undefined, names: string[]): string[] {
  const { id, audience, body, secret, list, ok, created, accepted } = definition
  const { name = '', fixed = {}, polledWith } = tool ?? {}
  const inputs = inputNames(definition)
  const rules: [boolean, string][] = [
    [/^[a-z][a-z0-9_]{0,63}$/.test(name), `${name} is not a tool name`],
    [audience !== 'internal', `${id} is internal`],
    [respondsWithJson(definition), `${id} does not respond with JSON`],
    [(list ?? ok ?? created ?? accepted) !== undefined, `${id} returns nothing`],
    [secret === undefined, `${id} returns a secret`],
    [
      definition.input === undefined && (body === undefined || body instanceof z.ZodObject),
      `${id} has no object as body`,
    ],
    [definition.credentials === undefined && definition.workspace === undefined, `${id} is not for every credential`],
    [polledWith === undefined || names.includes(polledWith), `${polledWith} is not a tool`],
  ]
  return [
    ...rules.flatMap(([holds, message]) => (holds ? [] : [message])),
    ...repeated(inputs).map((input) => `${id} has two inputs ${input}`),
    ...Object.keys(fixed).flatMap((field) => (inputs.includes(field) ? [] : [`${id} has no input ${field}`])),
  ]
}

const repeated = (words: readonly string[]) => words.filter((word, index) => words.indexOf(word) !== index)

describe('the tool of an endpoint', () => {
  it('is valid', () => {
    expect(toolProblems(allEndpoints)).toEqual([])
  })

  it('changes only what the listed tools start', () => {
    const changing = publicDefinitions.filter(({ tool }) => tool !== undefined && tool.hints?.readOnly !== true)
    expect(changing.map(({ tool }) => tool?.name)).toEqual([
      'start_sync',
      'create_scenario',
      'start_forecast',
      'run_agent',
    ])
  })

  it('is found invalid when it breaks a rule', () => {
    const baseWithoutResult = { id: 'data.x', method: 'POST', path: '/', summary: '' } as const
    const base = { ...baseWithoutResult, ok: z.object({}) }
    const tool = { name: 'valid' }
    const id = z.object({ id: z.string() })
    const broken: [EndpointDefinition[], string[]][] = [
      [[endpoint({ ...base, tool }), endpoint({ ...base, tool })], ['valid is not unique']],
      [[endpoint({ ...base, tool: { name: 'Not valid' } })], ['Not valid is not a tool name']],
      [[endpoint({ ...base, tool, audience: 'internal' })], ['data.x is internal']],
      [[endpoint({ ...base, tool, response: 'events' })], ['data.x does not respond with JSON']],
      [[endpoint({ ...baseWithoutResult, tool, deleted: 'id' })], ['data.x returns nothing']],
      [[endpoint({ ...base, tool, secret: { idField: 'id' } })], ['data.x returns a secret']],
      [[endpoint({ ...base, tool, body: z.array(z.string()) })], ['data.x has no object as body']],
      [[endpoint({ ...base, tool, input: 'stream' })], ['data.x has no object as body']],
      [[endpoint({ ...base, tool, credentials: ['bearer'] })], ['data.x is not for every credential']],
      [[endpoint({ ...base, tool: { ...tool, polledWith: 'none' } })], ['none is not a tool']],
      [[endpoint({ ...base, tool, params: id, body: id })], ['data.x has two inputs id']],
      [
        [endpoint({ ...base, tool, query: listQuery({}), body: z.object({ limit: z.int() }) })],
        ['data.x has two inputs limit'],
      ],
      [[endpoint({ ...base, tool: { ...tool, fixed: { background: true } } })], ['data.x has no input background']],
    ]
    for (const [definitions, problems] of broken) expect(toolProblems(definitions)).toEqual(problems)
  })
})
