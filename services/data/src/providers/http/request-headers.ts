import type { HttpConfig } from '@wp/contracts'
import { isSubUrl } from '../../integration-uses/is-sub-url.ts'
import { crawlFailure } from '../crawl-failure.ts'
import type { ResolvedIntegration } from '../source-reader.ts'
import { isSameOrigin } from './url.ts'

/** What is sent along to an address. */
export type HeadersForUrl = (address: string) => Record<string, string>

const acceptHeaders: Record<HttpConfig['format'], string> = {
  auto: 'application/json, application/x-ndjson, text/csv, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1',
  csv: 'text/csv, */*;q=0.1',
  json: 'application/json, */*;q=0.1',
  ndjson: 'application/x-ndjson, application/json;q=0.5, */*;q=0.1',
  html: 'text/html, application/xhtml+xml, */*;q=0.1',
  text: 'text/plain, text/markdown, */*;q=0.1',
}

/**
 * The headers of a source and its integration go to where they were meant for: under the integration's `base_url`, or
 * without one to the source's own origin. Wherever else a redirect or a link leads, nothing of them is sent.
 * @throws JobFailure `config` unless the source lies under the base
 */
export function createHeadersForUrl(
  { url, headers, format }: HttpConfig,
  connection: ResolvedIntegration | undefined,
): HeadersForUrl {
  const base = baseUrlOf(connection)
  if (base !== undefined && !isSubUrl(url, base))
    throw crawlFailure('config', "The address does not lie under the integration's `base_url`")
  const everywhere = { 'user-agent': 'workspace-platform', accept: acceptHeaders[format] }
  const own = {
    ...everywhere,
    ...lowerCaseNames(Object.entries(headers).filter(([name]) => !reservedHeaders.test(name))),
    ...(connection === undefined ? {} : integrationHeaders(connection)),
  }
  const isMeantFor = (address: string) => (base === undefined ? isSameOrigin(address, url) : isSubUrl(address, base))
  return (address) => ({ ...(isMeantFor(address) ? own : everywhere) })
}

/** What of a document comes, and when, is for the crawl to say. */
const reservedHeaders = /^(?:range|if-.*)$/i

function baseUrlOf(connection: ResolvedIntegration | undefined): string | undefined {
  if (connection === undefined) return undefined
  const { provider, config } = connection
  if (provider !== 'http' || typeof config.base_url !== 'string')
    throw crawlFailure('config', `An http source is not read through an integration of the provider ${provider}`)
  return config.base_url
}

/** As the integrations service sends them when it tries a connection. */
function integrationHeaders({ config, secrets }: ResolvedIntegration): Record<string, string> {
  const plain = Object.entries(config.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const secret = Object.entries(secrets)
    .filter(([name]) => name.startsWith('headers.'))
    .map(([name, value]): [string, string] => [name.slice('headers.'.length), value])
  return { ...lowerCaseNames(plain), ...lowerCaseNames(secret), ...authorizationHeader(secrets) }
}

function authorizationHeader({
  token,
  username,
  password = '',
}: ResolvedIntegration['secrets']): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** So that no header is sent twice for being written in two ways. */
const lowerCaseNames = (headers: readonly [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
