import type { FieldError, IntegrationProvider } from '@wp/contracts'
import type { Outbound, PortRange, Protocol } from '@wp/outbound'
import { z } from 'zod'
import { fieldErrors, refuse } from './field-errors.ts'

/** How a test reaches a provider. */
export interface Outside {
  outbound: Outbound
  /** For one step of a test: to connect, or an exchange. */
  timeoutMs: number
  /** What addresses may begin with. */
  protocols: readonly Protocol[]
  /** Where the providers are that have one place for everybody. */
  bases: Readonly<Record<'google' | 'github' | 'githubApi' | 'slackApi' | 'slackHooks', string>>
}

/** An address a user chose, and the field they wrote it into. */
export type ChosenAddress = { pointer: string } & (
  | { url: string }
  | { host: string; port: number; ports?: readonly PortRange[] }
)

/** One provider: what it needs, and how it is tried. */
interface ProviderDefinition<Config extends z.ZodType, Secrets extends z.ZodType> {
  provider: IntegrationProvider
  name: string
  description: string
  config: Config
  /** Strings by their names. */
  secrets: Secrets
  /** What is wrong although each field is right. */
  check?(config: z.output<Config>, secrets: z.output<Secrets>, outside: Outside): FieldError[]
  /** Every address a user chose. */
  addresses(config: z.output<Config>, secrets: z.output<Secrets>): ChosenAddress[]
  /** Where secrets are sent, and how protected: when it changes, all of them must be given anew. Null: always the same. */
  destination(config: z.output<Config>): unknown
  /** Connects and shows the credentials. @throws ConnectionFailure, OutboundError */
  test(connection: { config: z.output<Config>; secrets: z.output<Secrets> }, outside: Outside): Promise<void>
}

/** A provider whose own shapes are closed in. */
export interface Provider {
  provider: IntegrationProvider
  name: string
  description: string
  configSchema: Record<string, unknown>
  secretsSchema: Record<string, unknown>
  /** Reads what a user gave, or what is kept. @throws Problem `validation_failed` with every pointer */
  read(config: unknown, secrets: unknown, outside: Outside): Connection
}

/** A configuration and secrets that belong together and are right. */
export interface Connection {
  config: Record<string, unknown>
  secrets: Record<string, string>
  addresses: ChosenAddress[]
  /** Compared as text. */
  destination: string
  /** @throws ConnectionFailure, OutboundError */
  test(): Promise<void>
}

/** Declares a provider. */
export function defineProvider<Config extends z.ZodType, Secrets extends z.ZodType>(
  definition: ProviderDefinition<Config, Secrets>,
): Provider {
  const { provider, name, description } = definition
  return {
    provider,
    name,
    description,
    configSchema: schemaOf(definition.config),
    secretsSchema: schemaOf(definition.secrets),
    read(givenConfig, givenSecrets, outside) {
      const configured = definition.config.safeParse(givenConfig)
      const secured = definition.secrets.safeParse(givenSecrets)
      if (!configured.success || !secured.success)
        throw refuse([...fieldErrors(configured.error, '/config'), ...fieldErrors(secured.error, '/secrets')])
      const [config, secrets] = [configured.data, secured.data]
      const errors = definition.check?.(config, secrets, outside) ?? []
      if (errors.length > 0) throw refuse(errors)
      return {
        config: config as Record<string, unknown>, // every provider's configuration is an object
        secrets: secrets as Record<string, string>, // and its secrets are strings by name
        addresses: definition.addresses(config, secrets),
        destination: JSON.stringify(definition.destination(config)),
        test: () => definition.test({ config, secrets }, outside),
      }
    },
  }
}

const schemaOf = (shape: z.ZodType) =>
  z.toJSONSchema(shape, { io: 'input', target: 'draft-2020-12' }) as Record<string, unknown> // a JSON Schema is a plain JSON object
