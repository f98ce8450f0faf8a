import { describe, expect, test } from '@jest/globals'
import { AgentPatch, NewAgent, NewBlueprint } from '@wp/contracts'
import { type AgentContent, bodySchema, emptyValues, toValues } from '../../../../web/src/agents/shared/agent-values.ts'

const content: AgentContent = {
  name: 'Guide',
  description: '',
  instructions: 'Answer.',
  model: { provider: 'local', temperature: 0.5 },
  tools: ['search_data'],
  data_source_ids: [],
  input_schema: { type: 'object' },
}

describe('bodySchema', () => {
  test('returns the content that the form was filled with', () => {
    const schema = bodySchema(NewBlueprint, { emptySetting: 'omit', hasDataSources: false })
    const { data_source_ids: _sources, ...expected } = content
    expect(schema.parse(toValues(content))).toEqual({ ...expected, metadata: {}, external_id: null })
  })

  test('removes a setting of the model when it is emptied in a change', () => {
    const schema = bodySchema(AgentPatch, { emptySetting: 'null', hasDataSources: true })
    const values = toValues(content)
    const body = schema.parse({ ...values, model: { ...values.model, temperature: ' ' } })
    expect(body).toMatchObject({ model: { provider: 'local', id: null, temperature: null, max_output_tokens: null } })
  })

  test('adds members that are no fields', () => {
    const options = { emptySetting: 'null', hasDataSources: true, extra: { blueprint_id: 'report_writer' } } as const
    expect(bodySchema(NewAgent, options).parse(toValues(content))).toMatchObject({ blueprint_id: 'report_writer' })
  })

  test('reports all wrong fields at once', () => {
    const schema = bodySchema(NewAgent, { emptySetting: 'null', hasDataSources: true })
    const { error } = schema.safeParse({ ...emptyValues, input_schema: '{' })
    expect(error?.issues.map(({ path }) => path.join('.')).sort()).toEqual(['input_schema', 'name'])
    const model = { ...emptyValues.model, max_output_tokens: '1.000' }
    expect(schema.safeParse({ ...emptyValues, name: 'Ann', model }).error?.issues).toMatchObject([
      { path: ['model', 'max_output_tokens'], message: 'Enter 1000, or 1.0000: this can be read as both' },
    ])
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ input_schema: '{' }, 'input_schema'],
    [{ input_schema: '[]' }, 'input_schema'],
    [{ model: { ...emptyValues.model, temperature: 'warm' } }, 'model.temperature'],
    [{ model: { ...emptyValues.model, max_output_tokens: '0' } }, 'model.max_output_tokens'],
  ])('reports %j at its field', (change, field) => {
    const schema = bodySchema(NewAgent, { emptySetting: 'null', hasDataSources: true })
    const { error } = schema.safeParse({ ...emptyValues, name: 'Guide', ...change })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
  })
})
