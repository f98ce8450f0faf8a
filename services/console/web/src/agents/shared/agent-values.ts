import type { AiModel, Model, ToolReference } from '@wp/contracts'
import { z } from 'zod'
import { readNumber, textOfNumber } from '../../ui/form/number-text.ts'

/** The fields of the form of an agent or a blueprint. Numbers and JSON are texts while they are typed. */
export interface AgentValues {
  name: string
  description: string
  instructions: string
  model: { provider: string; id: string; temperature: string; max_output_tokens: string }
  tools: ToolReference[]
  data_source_ids: string[]
  input_schema: string
}

/** The content of an agent, a blueprint or a version. */
export interface AgentContent {
  name: string
  description: string
  instructions: string
  model: z.input<typeof Model>
  tools: ToolReference[]
  data_source_ids?: string[]
  input_schema: Record<string, unknown> | null
}

/** The values of an empty form. */
export const emptyValues: AgentValues = {
  name: '',
  description: '',
  instructions: '',
  model: { provider: 'local', id: '', temperature: '', max_output_tokens: '' },
  tools: ['search_data', 'list_sources', 'read_record', 'aggregate_records'],
  data_source_ids: [],
  input_schema: '',
}

/** Returns the values that the form shows for existing content. */
export const toValues = ({ model, input_schema, data_source_ids = [], ...content }: AgentContent): AgentValues => ({
  name: content.name,
  description: content.description,
  instructions: content.instructions,
  tools: content.tools,
  data_source_ids,
  model: {
    provider: model.provider ?? 'local',
    id: model.id ?? '',
    temperature: textOfNumber(model.temperature),
    max_output_tokens: textOfNumber(model.max_output_tokens),
  },
  input_schema: input_schema === null ? '' : JSON.stringify(input_schema, undefined, 2),
})

export interface BodyOptions {
  /** The value of an empty setting of the model: it is left out, or null removes it from what is changed. */
  emptySetting: 'omit' | 'null'
  /** Blueprints have no data sources. */
  hasDataSources: boolean
  /** Members that are no fields of the form. */
  extra?: Readonly<Record<string, unknown>>
}

/**
 * Returns a schema that turns the values of the form into a body and checks it by the schema of the contract.
 * @param contract the schema of the body
 */
export const bodySchema = <Body>(contract: z.ZodType<Body>, options: BodyOptions): z.ZodType<Body, AgentValues> =>
  z
    .custom<AgentValues>()
    .transform((values, context): unknown => toBody(values, options, context))
    .pipe(contract)

function toBody(
  { model, data_source_ids, name, input_schema, ...values }: AgentValues,
  { emptySetting, hasDataSources, extra }: BodyOptions,
  context: z.RefinementCtx,
): unknown {
  const setting = (text: string, read: (text: string) => unknown) =>
    text.trim() === '' ? (emptySetting === 'null' ? null : undefined) : read(text.trim())
  const number = (field: 'temperature' | 'max_output_tokens') =>
    setting(model[field], (text) => readNumber(text, context, 'model', field))
  return {
    ...values,
    name: name.trim(),
    input_schema: parseSchema(input_schema),
    model: {
      provider: model.provider,
      id: setting(model.id, String),
      temperature: number('temperature'),
      max_output_tokens: number('max_output_tokens'),
    },
    ...(hasDataSources && { data_source_ids }),
    ...extra,
  }
}

/** Returns null for an empty text. A text that is not JSON is returned as it is, and refused by the contract. */
function parseSchema(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export type ListedModel = z.output<typeof AiModel>

/** Returns the words for the model of an agent. @param integrationNames names of integrations by id */
export function modelName(
  { provider = 'local', id }: z.input<typeof Model>,
  integrationNames?: ReadonlyMap<string, string>,
): string {
  if (provider === 'local') return 'Local'
  if (provider === 'default') return id === undefined ? 'Of the operator' : `${id} (operator)`
  const integration = integrationNames?.get(provider) ?? 'integration'
  return id === undefined ? `Default of ${integration}` : `${id} (${integration})`
}

/** Returns the names of integrations by their ids. */
export const namesById = (
  integrations: readonly { integration_id: string; name: string }[] | undefined,
): ReadonlyMap<string, string> => new Map(integrations?.map(({ integration_id: id, name }) => [id, name]))
