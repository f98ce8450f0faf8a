import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../core/shape/shape.ts'

/** The supported providers. */
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

/** `pending`: not tested yet. `disconnected`: disabled by a user. */
export const integrationStates = ['pending', 'connected', 'error', 'disconnected'] as const
export type IntegrationStatus = (typeof integrationStates)[number]

/**
 * The causes of a failed connection. `blocked_address`: the host is not a public address, and does not resolve to one.
 * `dns`: written by earlier versions for a name that does not resolve.
 */
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
  .object({
    code: z.enum(connectionErrorCodes).describe('Stage or reason of the failure'),
    message: z.string().describe('What went wrong and what to do, in words'),
    at: timestamp().describe('When it happened'),
  })
  .meta({ id: 'ConnectionError', description: 'The last error; null after a successful use' })
export type ConnectionError = z.infer<typeof ConnectionError>

const configDescription = 'Matches the `config_schema` of the provider'
/** More than any provider declares. */
const [maxConfigFields, maxSecrets] = [50, 20]
const config = () => boundedRecord(text(200), z.unknown(), maxConfigFields).describe(configDescription)

const secretName = text(100)
const secretValue = text(32_768)

export const Integration = z
  .object({
    integration_id: id('int'),
    provider: z.enum(integrationProviders).describe('What it connects to'),
    name: z.string().describe('Name for people'),
    config: z.record(z.string(), z.unknown()).describe(configDescription),
    secret_names: z.array(z.string()).describe('Names of its secrets; their values cannot be read'),
    status: z
      .enum(integrationStates)
      .describe('`pending` until a test succeeds (`connected`) or fails (`error`); `disconnected` by your request'),
    last_error: ConnectionError.nullable().describe('The last error; null after a successful use'),
    last_checked_at: timestamp().nullable().describe('Time of the last use or test, to the minute'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp().describe('Time of the last change by a user'),
  })
  .meta({ id: 'Integration' })

export const NewIntegration = z
  .strictObject({
    provider: z.enum(integrationProviders).describe('What to connect to; it cannot be changed'),
    name: resourceName(200).describe('Name for people'),
    config: config().default({}),
    secrets: boundedRecord(secretName, secretValue, maxSecrets)
      .default({})
      .describe('Write-only; matches the `secrets_schema` of the provider'),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null),
  })
  .meta({ id: 'NewIntegration' })

export const IntegrationPatch = z.strictObject({
  name: resourceName(200).optional().describe('Another name for people'),
  config: config().optional().describe('Merged (RFC 7396); the result is validated as a whole'),
  secrets: boundedRecord(secretName, secretValue.nullable(), maxSecrets)
    .optional()
    .describe('Each is replaced; null removes one. All are required with a new address'),
  status: z
    .enum(['disconnected', 'pending'])
    .optional()
    .describe('`disconnected`: disables it; `pending`: enables it again'),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const ProviderEntry = z
  .object({
    provider: z.enum(integrationProviders).describe('Value of `provider` for an integration of it'),
    name: z.string().describe('Name for people'),
    description: z.string().describe('What integrations of it are for'),
    config_schema: z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12'),
    secrets_schema: z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12'),
  })
  .meta({ id: 'IntegrationProvider' })

/** An integration after a test, with the result. */
export const TestedIntegration = Integration.extend({
  ok: z.boolean().describe('True if the test succeeded'),
  error: ConnectionError.nullable().describe('The reason of a failed test'),
  latency_ms: z.number().int().describe('Duration of the test, in milliseconds'),
}).meta({ id: 'TestedIntegration' })

export const integrationPath = z.object({ integration_id: id('int') })
