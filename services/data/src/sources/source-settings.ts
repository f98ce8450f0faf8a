import {
  type HttpConfig,
  invalidField,
  type Schedule,
  type SourceConfig,
  type SourceProvider,
  sourceConfigs,
  UploadSchedule,
} from '@wp/contracts'
import { OutboundError } from '@wp/outbound'
import { mergePatch, validateMember } from '@wp/service'
import type { Context } from '../context.ts'

/** The settings that determine how a source is read. */
export interface SourceSettings {
  provider: SourceProvider
  config: SourceConfig
  integrationId: string | null
  schedule: Schedule
}

/** A change of the settings; absent members stay unchanged. */
export interface SourceSettingsPatch {
  config?: Readonly<Record<string, unknown>> | null | undefined
  integration_id?: string | null | undefined
  schedule?: Schedule | undefined
}

/**
 * Applies a change to the settings of a source and validates the result for its provider.
 * @throws Problem `validation_failed`
 */
export function applySettingsPatch(
  { provider, ...before }: SourceSettings,
  patch: SourceSettingsPatch,
): SourceSettings {
  const integrationId = patch.integration_id === undefined ? before.integrationId : patch.integration_id
  if (provider === 'upload' && integrationId !== null)
    throw invalidField('/integration_id', 'must be null: an upload source is not read through an integration')
  if ((provider === 'postgres' || provider === 's3') && integrationId === null)
    throw invalidField('/integration_id', `is required: a ${provider} source is read through an integration`)
  const schedule = patch.schedule ?? before.schedule
  if (provider === 'upload') validateMember(UploadSchedule, schedule, '/schedule')
  const config =
    patch.config === undefined
      ? before.config
      : validateMember(sourceConfigs[provider], patchedConfig(before.config, patch.config), '/config')
  return { provider, config, integrationId, schedule }
}

/** Applies a merge patch (RFC 7396); null in place of the config removes every member. */
const patchedConfig = (config: SourceConfig, patch: Readonly<Record<string, unknown>> | null) =>
  patch === null ? {} : mergePatch<unknown>({ ...config }, patch)

/** Members of a config that change neither which rows are read nor which records they become. */
const crawlNeutralFields: ReadonlySet<string> = new Set([
  'timestamp_field',
  'fields',
  'overlap_seconds',
  'statement_timeout_seconds',
])

/** Members of a config that apply to what was read, and do not change what is requested. */
const mappingFields: ReadonlySet<string> = new Set([
  ...crawlNeutralFields,
  ...['key', 'title_field', 'text_field', 'url_field', 'language', 'max_deletion_share', 'pseudonymize', 'drop'],
])

/** Returns true if a change of the settings makes a source request something else, or through another integration. */
export const changesRequests = (before: SourceSettings, after: SourceSettings): boolean =>
  before.integrationId !== after.integrationId || changesConfig(before, after, mappingFields)

/** Returns true if a change of the settings makes the saved crawl state unusable, so that the source is read again. */
export const invalidatesCrawlState = (before: SourceSettings, after: SourceSettings): boolean =>
  before.integrationId !== after.integrationId || changesConfig(before, after, crawlNeutralFields)

function changesConfig(before: SourceSettings, after: SourceSettings, ignored: ReadonlySet<string>): boolean {
  const [old, current] = [new Map(Object.entries(before.config)), new Map(Object.entries(after.config))]
  return [...new Set([...old.keys(), ...current.keys()])].some(
    (name) => !ignored.has(name) && JSON.stringify(old.get(name)) !== JSON.stringify(current.get(name)),
  )
}

/** Returns the config of an http source; undefined for other providers, which name no address themselves. */
export const httpConfigOf = ({ provider, config }: SourceSettings): HttpConfig | undefined =>
  provider === 'http' ? (config as HttpConfig) : undefined // the config of an http source

/**
 * Validates the address of an http source when a user sets it. Its host is checked again at every connection.
 * @throws Problem `validation_failed` with the reason
 */
export async function checkAddress(
  { outbound, protocols }: Pick<Context, 'outbound' | 'protocols'>,
  { url }: HttpConfig,
): Promise<void> {
  try {
    await outbound.validateUrl(url, { protocols })
  } catch (error) {
    if (error instanceof OutboundError && error.isAddressRejected) throw invalidField('/config/url', error.message)
    throw error
  }
}
