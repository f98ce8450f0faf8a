import type { HttpConfig } from '@wp/contracts'
import { isUnder } from '../../connections/under.ts'
import { failed } from '../failure.ts'
import type { Connection } from '../provider.ts'
import { isSameOrigin } from './address.ts'

/** What is sent along to an address. */
export type HeadersFor = (address: string) => Record<string, string>

const accepted: Record<HttpConfig['format'], string> = {
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
export function createSender({ url, headers, format }: HttpConfig, connection: Connection | undefined): HeadersFor {
  const base = baseOf(connection)
  if (base !== undefined && !isUnder(url, base))
    throw failed('config', "The address does not lie under the integration's `base_url`")
  const everywhere = { 'user-agent': 'workspace-platform', accept: accepted[format] }
  const own = {
    ...everywhere,
    ...lowerCased(Object.entries(headers).filter(([name]) => !ours.test(name))),
    ...(connection === undefined ? {} : headersOf(connection)),
  }
  const isMeantFor = (address: string) => (base === undefined ? isSameOrigin(address, url) : isUnder(address, base))
  return (address) => ({ ...(isMeantFor(address) ? own : everywhere) })
}

/** What of a document comes, and when, is for the crawl to say. */
const ours = /^(?:range|if-.*)$/i

function baseOf(connection: Connection | undefined): string | undefined {
  if (connection === undefined) return undefined
  const { provider, config } = connection
  if (provider !== 'http' || typeof config.base_url !== 'string')
    throw failed('config', `An http source is not read through an integration of the provider ${provider}`)
  return config.base_url
}

/** As the integrations service sends them when it tries a connection. */
function headersOf({ config, secrets }: Connection): Record<string, string> {
  const plain = Object.entries(config.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const secret = Object.entries(secrets)
    .filter(([name]) => name.startsWith('headers.'))
    .map(([name, value]): [string, string] => [name.slice('headers.'.length), value])
  return { ...lowerCased(plain), ...lowerCased(secret), ...authorizationOf(secrets) }
}

function authorizationOf({ token, username, password = '' }: Connection['secrets']): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** So that no header is sent twice for being written in two ways. */
const lowerCased = (headers: readonly [string, string][]) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
