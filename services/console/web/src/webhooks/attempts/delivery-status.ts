/** Statuses of deliveries, in the order of the filter. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped', 'cancelled'] as const

/** Returns true if the platform still tries to send a delivery by itself. */
export const isPending = ({ status }: { status: string }): boolean => status === 'pending'

const errorKinds: Readonly<Record<string, string>> = {
  invalid_url: 'The address is not allowed',
  invalid_request: 'A header of the subscription is not allowed',
  blocked_address: 'The host is not a public address, and does not resolve to one, so no connection was made',
  dns: 'The name of the host does not resolve',
  connect: 'The host accepted no connection',
  tls: 'The TLS handshake failed, or the certificate is not valid for the name',
  timeout: 'The receiver did not answer in time',
  aborted: 'The attempt was interrupted by the platform',
  reset: 'The connection was closed before the response was complete',
  protocol: 'The response is not valid HTTP/1.1',
  encoding: 'The body of the response is compressed, so it was not read',
  too_large: 'The response was larger than its limit',
  internal: 'The attempt failed on the side of the platform; it does not count against the receiver',
}

/** Describes the error of an attempt. Kinds are open: an unknown one is shown as it is. */
export const describeErrorKind = (kind: string): string => errorKinds[kind] ?? kind.replaceAll('_', ' ')

const statusTexts: Readonly<Record<number, string>> = {
  301: 'redirects are not followed',
  302: 'redirects are not followed',
  307: 'redirects are not followed',
  308: 'redirects are not followed',
  401: 'the receiver refused the request: check its verification of the signature',
  403: 'the receiver refused the request: check its verification of the signature',
  404: 'there is nothing at this address',
  410: 'the receiver wants no further deliveries, so the subscription was disabled',
  429: 'the receiver asked for fewer requests',
  503: 'the receiver is temporarily unavailable',
}

/** Describes the status of a response that is not a success. */
export const describeStatusCode = (code: number): string =>
  statusTexts[code] ?? (code >= 500 ? 'the receiver failed' : 'the receiver refused the request')

const disabledReasons: Readonly<Record<string, string>> = {
  requested: 'It was disabled by a person or program of the workspace.',
  gone: 'The receiver answered 410, which means that it wants no further deliveries.',
  failing: 'Deliveries had failed for 5 days without a success.',
}

/** Explains why a subscription is disabled. */
export const describeDisabledReason = (reason: string | null): string =>
  reason === null ? '' : (disabledReasons[reason] ?? `Reason: ${reason.replaceAll('_', ' ')}.`)

/** Begins a text with a capital letter and ends it with a full stop. */
export const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
