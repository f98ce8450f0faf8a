import { JobFailure } from '@wp/jobs'
import { toSingleLine } from '@wp/mail'
import { OutboundError } from '@wp/outbound'
import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import type { Context } from '../context.ts'

/** Result of posting a message to Slack. `uncertain`: it may have been posted. */
export type PostResult =
  | { outcome: 'sent' }
  | { outcome: 'uncertain'; reason: string }
  | { outcome: 'failed'; reason: string; isUnauthorized: boolean }

/** Credentials and channel of a message. */
export interface SlackDestination {
  secrets: Readonly<Record<string, string>>
  channel: string | null
}

const requestTimeoutMs = 15_000
const maxResponseBytes = 65_536

/** Errors for invalid tokens, from https://docs.slack.dev/reference/methods/chat.postMessage */
const authErrors =
  /^(invalid_auth|not_authed|account_inactive|token_(revoked|expired)|no_permission|missing_scope|access_denied|no_service|invalid_token)$/
/** Errors of messages that were not posted, after which the same message can succeed. */
const temporaryErrors = /^(ratelimited|rate_limited|service_unavailable|request_timeout)$/
/** Errors that, by Slack's own description, leave open whether the message was posted. */
const uncertainErrors = /^(internal_error|fatal_error)$/
/** Statuses that say that the request was not carried out. Other errors of a server or a proxy leave it open. */
const refusedStatuses: ReadonlySet<number> = new Set([429, 503])
/** Longest part of a response that is shown. */
const maxShown = 100

const ApiResponse = z.object({ ok: z.boolean(), error: z.string().optional() })

/**
 * Posts a message, by the bot token or the incoming webhook of an integration.
 * @throws JobFailure if Slack certainly did not post it and a retry may succeed
 */
export async function postMessage(
  { outbound, protocols, config }: Pick<Context, 'outbound' | 'protocols' | 'config'>,
  { secrets: { bot_token: token, webhook_url: webhook }, channel }: SlackDestination,
  text: string,
): Promise<PostResult> {
  if (token !== undefined && channel === null)
    return { outcome: 'failed', reason: 'the settings name no channel for the bot', isUnauthorized: false }
  const response = await outbound
    .request({
      url: token === undefined ? (webhook ?? '') : `${config.SLACK_API_URL}/chat.postMessage`,
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'workspace-platform',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(token === undefined ? { text } : { channel, text, unfurl_links: false }),
      protocols,
      idempotent: false,
      timeoutMs: requestTimeoutMs,
      maxResponseBytes,
      keepResponseBytes: maxResponseBytes,
    })
    .catch((error: unknown) => resultOfError(error))
  if ('outcome' in response) return response
  const body = response.body.toString('utf8')
  if (refusedStatuses.has(response.status)) throw temporary(`Slack answered ${response.status}`)
  if (response.status >= 500) return { outcome: 'uncertain', reason: `Slack answered ${response.status}` }
  return token === undefined ? resultOfWebhook(response.status, body) : resultOfApi(response.status, body)
}

/** A request that was sent may have been taken although no response came. */
function resultOfError(error: unknown): PostResult {
  if (!(error instanceof OutboundError)) throw error
  const stage = error.attempt.stage
  if (stage === 'request' || stage === 'response') return { outcome: 'uncertain', reason: `no response: ${error.kind}` }
  if (error.isAddressRejected) return { outcome: 'failed', reason: error.kind, isUnauthorized: false }
  throw temporary(`Slack is unavailable: ${error.kind}`, error)
}

function resultOfWebhook(status: number, body: string): PostResult {
  if (status === 200) return { outcome: 'sent' }
  const reason = `Slack rejected the webhook: ${status} ${shown(body)}`
  return { outcome: 'failed', reason, isUnauthorized: [403, 404, 410].includes(status) }
}

function resultOfApi(status: number, body: string): PostResult {
  const parsed = ApiResponse.safeParse(parseJson(body))
  if (!parsed.success) return resultOfUnexpected(status)
  const { ok, error = 'unknown' } = parsed.data
  if (ok) return { outcome: 'sent' }
  if (temporaryErrors.test(error)) throw temporary(`Slack answered ${error}`)
  if (uncertainErrors.test(error)) return { outcome: 'uncertain', reason: `Slack answered ${error}` }
  const reason = `Slack rejected the message: ${shown(error)}`
  return { outcome: 'failed', reason, isUnauthorized: authErrors.test(error) }
}

/** A success that is not Slack's may come from a proxy before or behind it. */
const resultOfUnexpected = (status: number): PostResult =>
  status < 300
    ? { outcome: 'uncertain', reason: `unexpected response ${status}` }
    : { outcome: 'failed', reason: `unexpected response ${status}`, isUnauthorized: false }

/** Returns the beginning of a foreign text on one line, without what cannot be stored. */
const shown = (text: string): string => toSingleLine(text.slice(0, maxShown)).toWellFormed()

const temporary = (message: string, cause?: unknown) =>
  new JobFailure({ code: 'transient', message, retryable: true }, { cause })
