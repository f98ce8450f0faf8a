import { z } from 'zod'
import { id } from '../core/id.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape.ts'

/** Whom a workspace can connect. */
export const integrationProviders = [
  'http',
  'postgres',
  's3',
  'smtp',
  'slack',
  'openai_compatible',
  'mcp_server',
  'google',
  'github',
] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

/** `pending`: not tried yet. `disconnected`: switched off by a user. */
export const integrationStates = ['pending', 'connected', 'error', 'disconnected'] as const
export type IntegrationStatus = (typeof integrationStates)[number]

/** What a connection can fail at. */
export const connectionErrorCodes = [
  'dns',
  'blocked_address',
  'refused',
  'tls',
  'timeout',
  'unauthorized',
  'not_found',
  'unavailable',
  'protocol',
] as const
export type ConnectionErrorCode = (typeof connectionErrorCodes)[number]

const ConnectionError = z
  .object({ code: z.enum(connectionErrorCodes), message: z.string(), at: timestamp() })
  .meta({ id: 'ConnectionError', description: 'What went wrong last; null once it goes well again' })
export type ConnectionError = z.infer<typeof ConnectionError>

const config = () =>
  z.record(z.string(), z.unknown()).meta({ description: "By the `config_schema` of its provider's entry" })

const secretName = text(100)
const secretValue = text(32_768)

export const Integration = z
  .object({
    integration_id: id('int'),
    provider: z.enum(integrationProviders),
    name: z.string(),
    config: config(),
    secret_names: z.array(z.string()).meta({ description: 'Which secrets it has; their values are never read back' }),
    status: z.enum(integrationStates),
    last_error: ConnectionError.nullable(),
    last_checked_at: timestamp().nullable().meta({ description: 'When it was last used or tested, to the minute' }),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp().meta({ description: 'When a user last changed it' }),
  })
  .meta({ id: 'Integration' })

export const NewIntegration = z
  .strictObject({
    provider: z.enum(integrationProviders),
    name: text(200),
    config: config().default({}),
    secrets: z
      .record(secretName, secretValue)
      .default({})
      .meta({ description: 'Write-only, by the `secrets_schema` of its provider' }),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewIntegration' })

export const IntegrationPatch = z.strictObject({
  name: text(200).optional(),
  config: config().optional().meta({ description: 'Merged (RFC 7396); what comes of it is checked as a whole' }),
  secrets: z
    .record(secretName, secretValue.nullable())
    .optional()
    .meta({ description: 'Replaced one by one; null removes one. All of them must be given with a new address' }),
  status: z
    .enum(['disconnected', 'pending'])
    .optional()
    .meta({ description: '`disconnected`: nobody uses it any more; `pending`: it may be used again' }),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const ProviderEntry = z
  .object({
    provider: z.enum(integrationProviders),
    name: z.string(),
    description: z.string(),
    config_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12' }),
    secrets_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12' }),
  })
  .meta({ id: 'IntegrationProvider' })

/** How a test went, with the integration as it is now. */
export const TestedIntegration = Integration.extend({
  ok: z.boolean(),
  error: ConnectionError.nullable().meta({ description: 'Why the test failed' }),
  latency_ms: z.number().int(),
}).meta({ id: 'TestedIntegration' })

export const integrationPath = z.object({ integration_id: id('int') })
