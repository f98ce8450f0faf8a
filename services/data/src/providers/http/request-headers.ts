import type { HttpConfig } from '@wp/contracts'
import { integrationHeaders, isSubUrl } from '@wp/outbound'
import { crawlFailure } from '../crawl-failure.ts'
import type { ResolvedIntegration } from '../source-reader.ts'
import { isSameOrigin } from './url.ts'

/** Returns the headers of a request to an address. */
export type HeadersForUrl = (address: string) => Record<string, string>

const acceptHeaders: Record<Extract<HttpConfig['format'], string>, string> = {
  auto: 'application/json, application/x-ndjson, text/csv, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1',
  csv: 'text/csv, */*;q=0.1',
  json: 'application/json, */*;q=0.1',
  ndjson: 'application/x-ndjson, application/json;q=0.5, */*;q=0.1',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, */*;q=0.1',
  icalendar: 'text/calendar, */*;q=0.1',
  parquet: 'application/vnd.apache.parquet, */*;q=0.1',
  html: 'text/html, application/xhtml+xml, */*;q=0.1',
  text: 'text/plain, text/markdown, */*;q=0.1',
}

/**
 * Creates the function for the headers of requests. The headers of the source and its integration are sent only to
 * addresses under the `base_url` of the integration, or without an integration to the origin of the source. A redirect
 * or link to any other address does not receive them.
 * @throws JobFailure `config` unless the address of the source is under the `base_url`
 */
export function createHeadersForUrl(
  { url, headers, format }: HttpConfig,
  integration: ResolvedIntegration | undefined,
): HeadersForUrl {
  const base = baseUrlOf(integration)
  if (base !== undefined && !isSubUrl(url, base))
    throw crawlFailure('config', "The address is not under the integration's `base_url`")
  const publicHeaders = {
    'user-agent': 'workspace-platform',
    accept: acceptHeaders[typeof format === 'string' ? format : (format.type ?? 'auto')],
  }
  const ownHeaders = {
    ...publicHeaders,
    ...lowerCaseNames(Object.entries(headers).filter(([name]) => !reservedHeaders.test(name))),
    ...(integration === undefined ? {} : integrationHeaders(integration.config, integration.secrets)),
  }
  const isTrusted = (address: string) => (base === undefined ? isSameOrigin(address, url) : isSubUrl(address, base))
  return (address) => ({ ...(isTrusted(address) ? ownHeaders : publicHeaders) })
}

/** Headers that select a part or a version of the document; only the crawl sets them. */
const reservedHeaders = /^(?:range|if-.*)$/i

function baseUrlOf(integration: ResolvedIntegration | undefined): string | undefined {
  if (integration === undefined) return undefined
  const { provider, config } = integration
  if (provider !== 'http' || typeof config.base_url !== 'string')
    throw crawlFailure('config', `An http source cannot use an integration of the provider ${provider}`)
  return config.base_url
}

/** Prevents sending a header twice because two configurations spell it differently. */
const lowerCaseNames = (headers: readonly [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
