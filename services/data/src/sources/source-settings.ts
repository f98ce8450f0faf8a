import {
  type HttpConfig,
  invalidField,
  type Schedule,
  type SourceConfig,
  type SourceProvider,
  sourceConfigs,
  UploadSchedule,
} from '@wp/contracts'
import { validateMember } from '@wp/service'

/** What a source is read by. */
export interface SourceSettings {
  provider: SourceProvider
  config: SourceConfig
  integrationId: string | null
  schedule: Schedule
}

/** What of it a change says anew. */
export interface SourceSettingsPatch {
  config?: Readonly<Record<string, unknown>> | null | undefined
  integration_id?: string | null | undefined
  schedule?: Schedule | undefined
}

/**
 * What a source is read by after a change, held against its provider's shapes as a whole.
 * @throws Problem `validation_failed`
 */
export function applySettingsPatch(
  { provider, ...before }: SourceSettings,
  patch: SourceSettingsPatch,
): SourceSettings {
  const integrationId = patch.integration_id === undefined ? before.integrationId : patch.integration_id
  if (provider === 'upload' && integrationId !== null)
    throw invalidField('/integration_id', 'is not for an upload source: nothing is read for it')
  if ((provider === 'postgres' || provider === 's3') && integrationId === null)
    throw invalidField('/integration_id', `is required: a ${provider} source is read through an integration`)
  const schedule = patch.schedule ?? before.schedule
  if (provider === 'upload') validateMember(UploadSchedule, schedule, '/schedule')
  const config =
    patch.config === undefined
      ? before.config
      : validateMember(sourceConfigs[provider], merged(before.config, patch.config), '/config')
  return { provider, config, integrationId, schedule }
}

/** JSON Merge Patch (RFC 7396) of one level: null takes a member away, or everything. */
const merged = (target: object, patch: Readonly<Record<string, unknown>> | null): Record<string, unknown> =>
  Object.fromEntries(
    patch === null ? [] : Object.entries({ ...target, ...patch }).filter(([, value]) => value !== null),
  )

/** What says how values are read, or how patiently, but neither which there are nor what becomes of them. */
const crawlNeutralFields: ReadonlySet<string> = new Set([
  'timestamp_field',
  'fields',
  'overlap_seconds',
  'statement_timeout_seconds',
])

/** Whether what was read before no longer says where to go on: then everything is read again, and nothing is skipped. */
export function invalidatesCrawlState(before: SourceSettings, after: SourceSettings): boolean {
  if (before.integrationId !== after.integrationId) return true
  const [one, other] = [Object.entries(before.config), new Map(Object.entries(after.config))]
  const names = new Set([...one.map(([name]) => name), ...other.keys()])
  const known = new Map(one)
  return [...names].some(
    (name) => !crawlNeutralFields.has(name) && JSON.stringify(known.get(name)) !== JSON.stringify(other.get(name)),
  )
}

/** The address a source is read from, where it names one itself. */
export const httpConfigOf = ({ provider, config }: SourceSettings): HttpConfig | undefined =>
  provider === 'http' ? (config as HttpConfig) : undefined // what an http source is configured with
