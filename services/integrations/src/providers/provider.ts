import {
  bodyPointer,
  canonicalHost,
  type FieldError,
  type IntegrationProvider,
  text,
  validateInput,
  validationProblem,
  webAddress,
} from '@wp/contracts'
import type { Outbound, PortRange, Protocol } from '@wp/outbound'
import type { FairSemaphore } from '@wp/runtime'
import { z } from 'zod'

export const headerName = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}"

/** The outbound client and settings for connection tests. */
export interface ProviderAccess {
  outbound: Outbound
  /** Time limit for one step of a test: connecting, or one request. */
  timeoutMs: number
  /** Allowed URL protocols. */
  protocols: readonly Protocol[]
  /** Slots for processes that speak to a PostgreSQL server, in turns by workspace. */
  postgresSlots: FairSemaphore
  /** Base URLs of providers with a fixed address. */
  baseUrls: Readonly<Record<'google' | 'github' | 'githubApi' | 'slackApi' | 'slackHooks', string>>
}

/** Access for one test. */
export interface TestAccess extends ProviderAccess {
  workspaceId: string
  /** Aborted with an OutboundError when the time for the whole test is over. */
  signal: AbortSignal
}

/** An address entered by a user, with the pointer of its field. */
export type ConfiguredAddress = { pointer: string } & (
  | { url: string }
  | { host: string; port: number; ports?: readonly PortRange[] }
)

/** A provider: the shape of its configuration and secrets, and its connection test. */
interface ProviderDefinition<Config extends z.ZodType, Secrets extends z.ZodType> {
  provider: IntegrationProvider
  name: string
  description: string
  config: Config
  /** Strings by name. */
  secrets: Secrets
  /** Validates rules across fields. */
  check?(config: z.output<Config>, secrets: z.output<Secrets>, access: ProviderAccess): FieldError[]
  /** Returns every address entered by the user. */
  addresses(config: z.output<Config>, secrets: z.output<Secrets>): ConfiguredAddress[]
  /**
   * Returns where secrets are sent and how the connection is protected. A change requires all secrets again. Null:
   * fixed.
   */
  destination(config: z.output<Config>): unknown
  /** Connects and authenticates. @throws ConnectionFailure, OutboundError */
  test(connection: { config: z.output<Config>; secrets: z.output<Secrets> }, access: TestAccess): Promise<void>
}

/** A provider with the types of its shapes erased. */
export interface Provider {
  provider: IntegrationProvider
  name: string
  description: string
  configSchema: Record<string, unknown>
  secretsSchema: Record<string, unknown>
  /** Validates configuration and secrets. @throws Problem `validation_failed` with every pointer */
  parse(config: unknown, secrets: unknown, access: ProviderAccess): Connection
}

/** A valid configuration with its secrets. */
export interface Connection {
  config: Record<string, unknown>
  secrets: Record<string, string>
  addresses: ConfiguredAddress[]
  /** Serialized, to be compared. */
  destination: string
  /** @throws ConnectionFailure, OutboundError, the reason of the signal */
  test(test: Pick<TestAccess, 'workspaceId' | 'signal'>): Promise<void>
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
    parse(configInput, secretsInput, access) {
      const parsedConfig = validateInput(definition.config, configInput, (path) => `/config${bodyPointer(path)}`)
      const parsedSecrets = validateInput(definition.secrets, secretsInput, (path) => `/secrets${bodyPointer(path)}`)
      if (!parsedConfig.success || !parsedSecrets.success)
        throw validationProblem([parsedConfig, parsedSecrets].flatMap((part) => (part.success ? [] : part.errors)))
      const [config, secrets] = [parsedConfig.data, parsedSecrets.data]
      const errors = definition.check?.(config, secrets, access) ?? []
      if (errors.length > 0) throw validationProblem(errors)
      return {
        config: config as Record<string, unknown>, // every provider's configuration is an object
        secrets: secrets as Record<string, string>, // its secrets are strings by name
        addresses: definition.addresses(config, secrets),
        destination: JSON.stringify(definition.destination(config)),
        test: (test) => definition.test({ config, secrets }, { ...access, ...test }),
      }
    },
  }
}

const schemaOf = (shape: z.ZodType) =>
  z.toJSONSchema(shape, { io: 'input', target: 'draft-2020-12' }) as Record<string, unknown> // a JSON Schema is a plain JSON object

/** A URL without credentials or query, which would be readable; secrets belong into `secrets`. */
export const baseUrl = () =>
  webAddress(2048).refine((value) => {
    const url = URL.parse(value)
    return url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '')
  }, 'must be a URL without user name, password, query or fragment')

export const host = () => text(253).overwrite(canonicalHost)

export const port = (defaultPort: number) => z.number().int().min(1).max(65_535).default(defaultPort)

/** A secret that can be sent in a header: printable ASCII. */
export const headerSecret = () => z.string().regex(/^[\x20-\x7e]{1,8192}$/, 'must be printable ASCII')

export const secretText = () => text(32_768)

/** Appends a path to a base URL, with or without a trailing slash. */
export function under(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
