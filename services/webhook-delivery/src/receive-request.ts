import { maxReceivedBytes, type signatureStates } from '@wp/contracts'
import { workerQuery } from '@wp/database'
import type { Context } from './context.ts'
import { captureBody, captureHeaders } from './delivery/captured-response.ts'
import { createSignatureHeaders } from './delivery/request/signature.ts'
import { admitRequest, findReceiverSecrets, storeReceivedRequest } from './store/receivers.ts'
import { receiverAddress } from './subscriptions/receiver-address.ts'
import { openSecret } from './subscriptions/secrets.ts'

/** A request to the address of a receiver. */
export interface ReceivedInput {
  token: string
  /** The workspace of the subscription that delivers it; undefined for a request from outside. */
  workspaceId?: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
}

/** `unknown`: there is no such receiver in the workspace, or it has expired. */
export type ReceiveOutcome = 'received' | 'unknown' | 'limited' | 'too_large'

/** Bytes of a body that are kept. */
const keptBytes = 65_536

/** Verifies and stores a request at a receiver. */
export async function receiveRequest(
  { database, sealer, now, settings }: Pick<Context, 'database' | 'sealer' | 'now' | 'settings'>,
  { token, workspaceId, headers, body }: ReceivedInput,
): Promise<ReceiveOutcome> {
  if (body.length > maxReceivedBytes) return 'too_large'
  const query = workerQuery(database.background.worker)
  const admitted = await admitRequest(query, token, workspaceId)
  if (typeof admitted === 'string') return admitted
  const endpoint = receiverAddress(settings.publicBaseUrl, token)
  const sealed = await findReceiverSecrets(query, admitted.workspaceId, endpoint)
  const secrets = sealed.map((row) => openSecret(sealer, row.webhookId, row.secret))
  await storeReceivedRequest(query, {
    ...admitted,
    createdAt: new Date(now()),
    headers: captureHeaders(headers),
    body: captureBody(body.subarray(0, keptBytes)) ?? '',
    bodyBytes: body.length,
    signature: verifySignature(headers, body, secrets, now()),
  })
  return 'received'
}

/** Difference of the clocks that verifiers of Standard Webhooks allow. */
const toleranceSeconds = 300

/**
 * Verifies the signatures of a request as a receiver should: both forms, with one of the secrets, over the raw body.
 * @param secrets of the subscriptions that deliver to the address
 * @param headers names in lower case
 */
export function verifySignature(
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  secrets: readonly string[],
  nowMs: number,
): (typeof signatureStates)[number] {
  const { 'webhook-id': requestId = '', 'webhook-timestamp': sent = '', 'webhook-signature': standard } = headers
  const hex = headers['x-webhook-signature']
  if (standard === undefined && hex === undefined) return 'unsigned'
  const timestamp = Number(sent)
  const isSigned = secrets.some((current) => {
    const expected = createSignatureHeaders({ current, previous: null }, { requestId, timestamp, body })
    const given = standard?.split(' ') ?? []
    return (
      given.includes(expected['webhook-signature'] ?? '') &&
      [hex, headers['x-webhook-signature-previous']].includes(expected['x-webhook-signature'])
    )
  })
  if (!isSigned) return 'invalid'
  return Math.abs(nowMs / 1000 - timestamp) > toleranceSeconds ? 'expired' : 'valid'
}
