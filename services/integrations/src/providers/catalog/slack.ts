import { z } from 'zod'
import { callProvider, throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { defineProvider, headerSecret, type TestAccess, under } from '../provider.ts'

const secrets = z.strictObject({
  bot_token: headerSecret().optional().describe('Bot token of a Slack app: xoxb-…'),
  webhook_url: headerSecret().optional().describe('An incoming webhook: https://hooks.slack.com/…'),
})

const AuthTest = z.object({ ok: z.boolean(), error: z.string().optional() })

/** Errors for invalid tokens, from https://docs.slack.dev/reference/methods/auth.test */
const authErrors =
  /^(invalid_auth|not_authed|account_inactive|token_(revoked|expired)|no_permission|missing_scope|access_denied)$/

/** A Slack workspace by bot token, or one channel by incoming webhook. */
export const slack = defineProvider({
  provider: 'slack',
  name: 'Slack',
  description: 'A Slack workspace by a bot token, or a channel by an incoming webhook',
  config: z.strictObject({}),
  secrets,
  check: (_config, given, { baseUrls: bases }) => {
    if ((given.bot_token === undefined) === (given.webhook_url === undefined))
      return [{ pointer: '/secrets', detail: 'must contain either bot_token or webhook_url' }]
    return given.webhook_url === undefined || given.webhook_url.startsWith(`${bases.slackHooks}/`)
      ? []
      : [{ pointer: '/secrets/webhook_url', detail: `must begin with ${bases.slackHooks}/` }]
  },
  addresses: () => [],
  destination: () => null,
  test: ({ secrets: { bot_token: token, webhook_url: url } }, access) =>
    token === undefined ? testWebhook(access, url ?? '') : testToken(access, token),
})

async function testToken(access: TestAccess, token: string): Promise<void> {
  const url = under(access.baseUrls.slackApi, 'auth.test')
  const response = await callProvider(access, { url, method: 'POST', headers: { authorization: `Bearer ${token}` } })
  throwOnErrorStatus(response, 'Slack')
  const detail = AuthTest.safeParse(response.json)
  if (!detail.success) throw new ConnectionFailure('protocol', 'Slack sent an unexpected response')
  const { ok, error = 'unknown' } = detail.data
  if (!ok)
    throw new ConnectionFailure(
      authErrors.test(error) ? 'unauthorized' : 'unavailable',
      `Slack rejected the token: ${error}`,
    )
}

/** Posts a message without text: Slack rejects it, with an error that tells whether the webhook exists. */
async function testWebhook(access: TestAccess, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await callProvider(access, { url, method: 'POST', headers, body: '{}' })
  if (response.status === 400 && /no_text|invalid_payload/.test(response.text)) return
  const detail = response.text.slice(0, 100)
  if ([400, 403, 404, 410].includes(response.status))
    throw new ConnectionFailure('unauthorized', `Slack rejected the webhook: ${detail}`)
  throwOnErrorStatus(response, 'Slack')
}
