import { maskedValue } from '@wp/contracts'
import { OutboundError, type OutboundResponse, secretsOfHeader } from '@wp/outbound'
import { type EndpointCredentials, getEndpointCredentials } from '../../authentication/endpoint-credentials.ts'
import { AuthenticationError } from '../../authentication/request-token.ts'
import type { Context } from '../../context.ts'
import { buildRequestHeaders } from '../../delivery/request/request-headers.ts'
import { type ReceivedInput, type ReceiveOutcome, receiveRequest } from '../../receive-request.ts'
import type { ClaimedDelivery } from '../../store/deliveries/claim-rows.ts'
import { openHeaders } from '../../subscriptions/custom-headers.ts'
import { receiverTokenOf } from '../../subscriptions/receiver-address.ts'
import { openSecret } from '../../subscriptions/secrets.ts'
import { recordFailure, recordResponse, type SentAttempt } from './attempt-record.ts'

type SendContext = Pick<Context, 'outbound' | 'sealer' | 'accessTokens' | 'now' | 'log' | 'settings' | 'database'>

/** Sends a delivery once. Every failure is a result; it never rejects. */
export async function sendAttempt(context: SendContext, claimed: ClaimedDelivery): Promise<SentAttempt> {
  const startedMs = context.now()
  const startedAt = performance.now()
  const secrets: string[] = []
  try {
    const response = await sendAuthenticated(context, claimed, (credentials) => {
      const custom = openHeaders(context.sealer, claimed.webhookId, claimed.headers)
      secrets.push(...credentials.secrets, ...Object.values(custom).flatMap(secretsOfHeader))
      const elapsedMs = performance.now() - startedAt
      const timeoutMs = Math.max(1, context.settings.attemptTimeoutMs - elapsedMs)
      return send(context, claimed, credentials, custom, { nowMs: startedMs, timeoutMs })
    })
    return recordResponse(response, startedMs, secrets)
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof AuthenticationError)) {
      const fields = { err: error, request_id: claimed.requestId, webhook_id: claimed.webhookId }
      context.log.error({ event: 'attempt.sending_failed', ...fields }, 'failed to send a delivery')
    }
    return recordFailure(error, { startedMs, durationMs: performance.now() - startedAt }, secrets)
  }
}

/**
 * Sends a request with the credentials of the endpoint. If the endpoint rejects an access token of an earlier attempt,
 * which may have been revoked before its time, the request is sent once more with a new one.
 */
async function sendAuthenticated(
  context: SendContext,
  claimed: ClaimedDelivery,
  sendWith: (credentials: EndpointCredentials) => Promise<OutboundResponse>,
): Promise<OutboundResponse> {
  const credentials = await getEndpointCredentials(context, claimed)
  const response = await sendWith(credentials)
  if (response.status !== 401 || credentials.rejectCachedToken === undefined) return response
  credentials.rejectCachedToken()
  return await sendWith(await getEndpointCredentials(context, claimed))
}

function send(
  context: SendContext,
  claimed: ClaimedDelivery,
  { headers, clientCertificate }: EndpointCredentials,
  custom: Readonly<Record<string, string>>,
  { nowMs, timeoutMs }: { nowMs: number; timeoutMs: number },
): Promise<OutboundResponse> {
  const { outbound, sealer, settings } = context
  const { webhookId, body, secretSealed, previousSecretSealed } = claimed
  const open = (sealed: string | null) => (sealed === null ? null : openSecret(sealer, webhookId, sealed))
  const secrets = { current: open(secretSealed), previous: open(previousSecretSealed) }
  const token = receiverTokenOf(settings.publicBaseUrl, claimed.endpoint)
  if (token !== undefined) {
    const masked = maskValues({ ...custom, ...headers })
    const shown = { ...masked, ...buildRequestHeaders(claimed, body, secrets, {}, nowMs) }
    return deliverToReceiver(context, { token, workspaceId: claimed.workspaceId, headers: shown, body })
  }
  return outbound.request({
    url: claimed.endpoint,
    method: 'POST',
    headers: { ...buildRequestHeaders(claimed, body, secrets, custom, nowMs), ...headers },
    clientCertificate,
    body,
    timeoutMs,
    connectTimeoutMs: settings.connectTimeoutMs,
    maxResponseBytes: 65_536,
    keepResponseBytes: 8_192,
    // The client must not send the request again by itself: that would be an attempt without a record.
    idempotent: false,
  })
}

/** A test receiver shows which headers arrived, not the secrets in them. */
const maskValues = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), maskedValue]))

/** 410 disables the subscription, as for any receiver that is gone. */
const statuses: Readonly<Record<ReceiveOutcome, number>> = { received: 200, unknown: 410, limited: 429, too_large: 413 }

/**
 * Delivers to a test receiver of the same workspace, without a connection: an address of the platform itself can be one
 * that the rules for outside addresses refuse. Everything else is as for any other receiver.
 */
async function deliverToReceiver(
  context: Parameters<typeof receiveRequest>[0],
  input: ReceivedInput & { workspaceId: string },
): Promise<OutboundResponse> {
  const startedAt = performance.now()
  const outcome = await receiveRequest(context, input)
  const isReceived = outcome === 'received'
  const body = Buffer.from(JSON.stringify(isReceived ? { received: true } : { received: false, reason: outcome }))
  const headers = { 'content-type': 'application/json', ...(outcome === 'limited' ? { 'retry-after': '60' } : {}) }
  const totalMs = Math.round(performance.now() - startedAt)
  return {
    status: statuses[outcome],
    headers,
    body,
    truncated: false,
    address: '',
    reused: false,
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: totalMs, total_ms: totalMs },
  }
}
