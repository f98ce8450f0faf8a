import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'

const maxModelId = 200

const integrationProvider = id('int').describe('An integration of the provider `openai_compatible`')

/**
 * The provider of a model: `local` answers from the data of the workspace without a language model, `default` is the
 * model of the operator, and an integration is a model of the workspace.
 */
export const ModelProvider = z
  .union([z.enum(['local', 'default']), integrationProvider])
  .describe(
    '`local`: extracts answers from the data of the workspace, without a language model; `default`: the model of the operator; `int_…`: an integration of the provider `openai_compatible`',
  )

/** The model of an agent, with its settings. */
export const Model = z
  .strictObject({
    provider: ModelProvider.default('local'),
    id: text(maxModelId)
      .optional()
      .describe('Name of the model at its provider; default: the first one that the provider lists'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .describe('Randomness of the answers, from 0 (least) to 2; default: that of the provider'),
    max_output_tokens: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Most tokens that one call of the model may write; default: that of the provider'),
  })
  .meta({ id: 'Model' })
export type Model = z.output<typeof Model>

/**
 * A change of a model, merged (RFC 7396). Another provider has other models: without an `id` it gets its default one.
 */
export const ModelPatch = z
  .strictObject({
    provider: ModelProvider.optional(),
    id: text(maxModelId).nullable().optional().describe('null, like another `provider`, removes it'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .optional()
      .describe('Randomness of the answers, from 0 (least) to 2; null: that of the provider'),
    max_output_tokens: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .optional()
      .describe('Most tokens that one call of the model may write; null: that of the provider'),
  })
  .meta({ id: 'ModelPatch', description: 'Merged (RFC 7396): what is left out stays, null removes a setting' })
export type ModelPatch = z.output<typeof ModelPatch>
