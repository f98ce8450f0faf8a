/** A delivery as it is sent, as far as the console knows it. */
export interface DeliveryRequest {
  endpoint: string
  event: string
  requestId: string
  eventId: string
  attempt: number
  /** The exact bytes that are signed. */
  body: string
  isSigned: boolean
  /** Names of custom headers, whose values are not known. */
  customHeaders: readonly string[]
}

/** Quotes a text for POSIX shells: nothing in it is expanded. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the headers of a delivery, except those of the signature. */
export const headersOf = ({ event, requestId, eventId, attempt }: DeliveryRequest): Record<string, string> => ({
  'content-type': 'application/json',
  'x-webhook-event': event,
  'x-webhook-request-id': requestId,
  'x-webhook-event-id': eventId,
  'x-webhook-attempt': String(attempt),
  'webhook-id': requestId,
})

/** Returns a command that sends a delivery. The signature is computed from the secret in `WEBHOOK_SECRET`. */
export function asCurl(request: DeliveryRequest): string {
  const { endpoint, body, isSigned, customHeaders } = request
  const headers = [
    ...Object.entries(headersOf(request)).map(([name, value]) => quote(`${name}: ${value}`)),
    // The name is a token of HTTP (RFC 9110), so it needs no quoting within the quotes.
    ...customHeaders.map((name) => `${quote(`${name}: `)}"$HEADER_VALUE"`),
    ...(isSigned ? ['"x-webhook-signature: $SIGNATURE"'] : []),
  ]
  const lines = [`curl -sS ${quote(endpoint)}`, ...headers.map((header) => `-H ${header}`), '--data-binary "$BODY"']
  return [
    `BODY=${quote(body)}`,
    ...(isSigned
      ? [`SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')`]
      : []),
    lines.join(' \\\n  '),
  ].join('\n')
}
