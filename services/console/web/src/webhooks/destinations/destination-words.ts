import type { DestinationErrorCode, DestinationType, EventDestination } from '@wp/contracts'
import type { z } from 'zod'
import { formatCount } from '../../ui/format/format.ts'

/** An event destination as the client returns it, where settings with a default may be left out. */
export type DestinationView = z.input<typeof EventDestination>
export type ConfigView = DestinationView['config']

/** The types of event destinations in words, in the order of the choice. */
export const typeNames = {
  s3: 'S3 bucket',
  kafka: 'Kafka topic',
  splunk_hec: 'Splunk',
  datadog: 'Datadog',
  http: 'HTTP endpoint',
} as const satisfies Record<DestinationType, string>

/** Returns where records are written, in a few words. */
export function placeOf(config: ConfigView): string {
  switch (config.type) {
    case 's3':
      return `S3 bucket ${config.bucket}`
    case 'kafka':
      return `Kafka topic ${config.topic}`
    case 'splunk_hec':
      return `Splunk at ${hostOf(config.url)}`
    case 'datadog':
      return `Datadog at ${hostOf(config.url)}`
    case 'http':
      return `HTTP to ${hostOf(config.url)}`
  }
}

const hostOf = (url = ''): string => URL.parse(url)?.host ?? url

/** Returns the records that are written, in a few words. */
export function contentOf({ content, events, format }: Pick<DestinationView, 'content' | 'events' | 'format'>): string {
  if (content === 'audit') return format === 'ocsf' ? 'Audit log, OCSF' : 'Audit log'
  return events.includes('*') ? 'All events' : formatCount(events.length, 'event kind')
}

/** Returns the state in a word that agrees with the figures: `active` means that the last write succeeded. */
export function stateOf({ status, health }: Pick<DestinationView, 'status' | 'health'>): string {
  if (status === 'disabled') return 'disabled'
  if (health.state === 'failing') return 'retrying'
  return health.last_success_at === null ? 'nothing_written' : 'active'
}

/** Reasons of a failed write, and what to do about each. */
const errorWords: Readonly<Record<DestinationErrorCode, readonly [reason: string, advice: string]>> = {
  blocked_address: [
    'The address is not public, so no connection was made',
    'Enter an address that the internet reaches',
  ],
  connect: ['No connection could be made', 'Check host and port, and that its firewall lets the platform in'],
  tls: ['The TLS handshake failed', 'Check that the certificate is valid for the name of the host'],
  timeout: ['The other side did not answer in time', 'Check its load, and proxies in between'],
  reset: ['The connection was closed before the response was complete', 'Check proxies and time limits in between'],
  protocol: ['The response could not be understood', 'Check that the address belongs to a service of this type'],
  unauthorized: [
    'The other side did not accept the credentials',
    'Check that they are valid and may write, or enter new ones',
  ],
  not_found: ['There is nothing at this address', 'Check the address and the name of the bucket, topic or index'],
  rate_limited: ['The other side asked for fewer requests', 'Writing goes on when it allows more'],
  refused: ['The other side refused the records', 'Its response says why; change the settings on either side'],
  unavailable: ['The other side failed', 'Check its status'],
  gone: ['The other side wants no further records', 'Enter another address, then enable the event destination'],
  internal: ['The write failed on the side of the platform', 'Try again later'],
}

/** Describes a failed write. Codes are open: an unknown one is shown as it is. */
export function describeError(code: string): { reason: string; advice: string } {
  const [reason, advice] = new Map<string, readonly [string, string]>(Object.entries(errorWords)).get(code) ?? [
    code.replaceAll('_', ' '),
    '',
  ]
  return { reason, advice }
}
