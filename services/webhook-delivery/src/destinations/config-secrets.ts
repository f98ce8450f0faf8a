import { type DestinationConfig, invalidField, maskedValue, type NewDestinationConfig } from '@wp/contracts'
import { credentialDestination, OutboundError } from '@wp/outbound'
import type { Sealer } from '@wp/service'
import type { Context } from '../context.ts'
import { checkHeaders, escapePointer, mapValues } from '../subscriptions/custom-headers.ts'

/** The secrets of an event destination: by the names of their fields, and the values of header fields. */
export interface DestinationSecrets {
  values: Partial<Record<SecretField, string>>
  headers: Record<string, string>
}

type SecretField = 'secret_access_key' | 'password' | 'token' | 'api_key'

/** The secret of each type; `http` has those of its header fields. */
const secretFields = { s3: 'secret_access_key', kafka: 'password', splunk_hec: 'token', datadog: 'api_key' } as const

const noSecrets: DestinationSecrets = { values: {}, headers: {} }

/** Separates a configuration into what is shown and its secrets. */
export function splitSecrets(given: NewDestinationConfig): { config: DestinationConfig; secrets: DestinationSecrets } {
  if (given.type === 'http') {
    const { headers = {}, ...shown } = given
    const masked = Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))
    return { config: { ...shown, headers: masked }, secrets: { values: {}, headers } }
  }
  const field = secretFields[given.type]
  const { [field]: value, ...shown } = given as typeof given & Partial<Record<SecretField, string>> // the field of its type
  const config = shown as DestinationConfig // all that is left when the secret is taken out
  return { config, secrets: { values: value === undefined ? {} : { [field]: value }, headers: {} } }
}

/**
 * Returns the configuration and the secrets after a change. Secrets that are left out stay, unless the address changes
 * in more than its query: they belong to the old one, and the user who changes it may not know them.
 * @throws Problem `validation_failed` if the type changes, or a secret is missing, also a header field of the old
 * address
 */
export function mergeConfig(
  before: { config: DestinationConfig; secrets: DestinationSecrets },
  given: NewDestinationConfig,
): { config: DestinationConfig; secrets: DestinationSecrets } {
  if (before.config.type !== given.type) throw invalidField('/config/type', 'cannot be changed')
  const { config, secrets } = splitSecrets(given)
  const kept = given.type === 'http' && given.headers === undefined ? Object.keys(before.secrets.headers) : []
  if (addressOf(before.config) !== addressOf(config)) {
    if (kept.length === 0) return requireSecrets({ config, secrets })
    const detail = `must be set again when the address changes: ${kept.toSorted().join(', ')} would be sent to the new address`
    throw invalidField('/config/headers', detail)
  }
  const values = { ...before.secrets.values, ...secrets.values }
  if (config.type !== 'http' || kept.length === 0) {
    // A client may send all that it has read: a masked value is the stored one of that name.
    const stored = new Map(Object.entries(before.secrets.headers).map(([name, value]) => [name.toLowerCase(), value]))
    const headers = mapValues(secrets.headers, (value, name) =>
      value === maskedValue ? (stored.get(name.toLowerCase()) ?? value) : value,
    )
    return requireSecrets({ config, secrets: { values, headers } })
  }
  const headers = Object.fromEntries(kept.map((name) => [name, maskedValue]))
  return { config: { ...config, headers }, secrets: before.secrets }
}

/** Returns what secrets are bound to: the address without its query, and the account they belong to. */
function addressOf(config: DestinationConfig): string {
  switch (config.type) {
    case 's3':
      return `${credentialDestination(config.endpoint ?? `https://s3.${config.region}.amazonaws.com/`)} ${config.access_key_id}`
    case 'kafka':
      return `${config.brokers.toSorted().join(',')} ${config.username ?? ''}`
    default:
      return credentialDestination(config.url)
  }
}

/** @throws Problem `validation_failed` with a pointer to the missing or masked secret */
export function requireSecrets<T extends { config: DestinationConfig; secrets: DestinationSecrets }>(checked: T): T {
  const { config, secrets } = checked
  if (config.type === 'http') {
    checkHeaders(Object.keys(secrets.headers), '/config/headers')
    const masked = Object.entries(secrets.headers).find(([, value]) => value === maskedValue)?.[0]
    if (masked !== undefined)
      throw invalidField(`/config/headers/${escapePointer(masked)}`, 'is the mask of a stored value: send the value')
    return checked
  }
  const field = secretFields[config.type]
  const isNeeded = config.type !== 'kafka' || config.mechanism !== null
  if (isNeeded && secrets.values[field] === undefined) throw invalidField(`/config/${field}`, 'is required')
  if (config.type === 'kafka' && config.mechanism !== null && config.username === null)
    throw invalidField('/config/username', 'is required with a mechanism')
  return checked
}

/** Checks the addresses that a user has entered. @throws Problem `invalid_endpoint` */
export async function checkAddresses(
  { outbound }: Pick<Context, 'outbound'>,
  config: DestinationConfig,
): Promise<void> {
  const check = async (pointer: string, validate: () => Promise<unknown>) => {
    try {
      await validate()
    } catch (error) {
      if (error instanceof OutboundError && error.isAddressRejected)
        throw invalidField(pointer, error.message, 'invalid_endpoint')
      throw error
    }
  }
  if (config.type === 'kafka')
    for (const [index, broker] of config.brokers.entries())
      await check(`/config/brokers/${index}`, () => outbound.validateHost(parseBroker(broker)))
  else if (config.type !== 's3') await check('/config/url', () => outbound.validateUrl(config.url))
  else {
    const { endpoint } = config
    if (endpoint !== null) await check('/config/endpoint', () => outbound.validateUrl(endpoint))
  }
}

/** Splits `host:port`; an IPv6 address is in brackets. */
export function parseBroker(broker: string): { host: string; port: number } {
  const colon = broker.lastIndexOf(':')
  return { host: broker.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(broker.slice(colon + 1)) }
}

/** Returns the associated data of the sealed secrets. */
export const destinationBinding = (destinationId: string): string => `${destinationId}/secrets`

export const sealDestination = (sealer: Sealer, destinationId: string, secrets: DestinationSecrets): string =>
  sealer.seal(JSON.stringify(secrets), destinationBinding(destinationId))

/** @throws Error if the key is unknown or the value was tampered with */
export const openDestination = (sealer: Sealer, destinationId: string, sealed: string | null): DestinationSecrets =>
  sealed === null ? noSecrets : JSON.parse(sealer.open(sealed, destinationBinding(destinationId))) // only written by sealDestination

/** Returns the texts that must not be shown in errors. */
export const secretTexts = ({ values, headers }: DestinationSecrets): string[] => [
  ...Object.values(values),
  ...Object.values(headers),
]
