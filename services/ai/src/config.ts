import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'
import { ConfiguredPrice, toModelPrice } from './models/price.ts'

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' })
    return z.NEVER
  }
}

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...outboundConfig,
    /** Address of the operator's model, `https://…/v1`, of an API that is compatible with OpenAI's. Default: none. */
    AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    AI_API_KEY: z.string().min(1).optional(),
    /** Name of the operator's model. Required with AI_BASE_URL. */
    AI_MODEL: z.string().min(1).optional(),
    /**
     * Price of the operator's model for budgets in money, as JSON: `currency`, and in its minor units for a million
     * tokens `input`, `output` and optionally `cached_input`. Default: none, so that its cost is not known.
     */
    AI_MODEL_PRICE: z.string().transform(parseJson).pipe(ConfiguredPrice.strict()).transform(toModelPrice).optional(),
    /** Longest time that a model may send nothing, before its first token too. Afterwards the run fails. */
    MODEL_STALL_SECONDS: integer(1, 3_600).default(120),
    /** Tokens of a conversation that a model is sent at most, estimated as a quarter of its characters. */
    AI_CONTEXT_TOKENS: integer(1_000, 1_000_000).default(32_000),
    /** Number of runs at once in this process. One workspace has a quarter, at least one, while others wait. */
    RUN_CONCURRENCY: integer(1, 1_000).default(64),
    /** Days after which the events of a run that has ended are deleted. */
    RUN_EVENT_RETENTION_DAYS: integer(1, 3_650).default(30),
    /** Lease of a running job; renewed three times within this time. */
    JOB_LEASE_SECONDS: integer(1, 600).default(15),
  })
  .superRefine(rejectPrivateRanges)
  .refine((env) => (env.AI_BASE_URL === undefined) === (env.AI_MODEL === undefined), {
    path: ['AI_MODEL'],
    message: 'must be set together with AI_BASE_URL',
  })

export type Config = z.output<typeof config>
