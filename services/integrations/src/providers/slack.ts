import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { callProvider, refuseFailure } from './http-call.ts'
import { defineProvider, type Outside } from './provider.ts'
import { headerSecret, under } from './shapes.ts'

const secrets = z.strictObject({
  bot_token: headerSecret().optional().meta({ description: 'Of a Slack app: xoxb-…' }),
  webhook_url: headerSecret().optional().meta({ description: 'An incoming webhook: https://hooks.slack.com/…' }),
})

const AuthTest = z.object({ ok: z.boolean(), error: z.string().optional() })

/** What Slack says of a token it does not take: https://docs.slack.dev/reference/methods/auth.test */
const refusals =
  /^(invalid_auth|not_authed|account_inactive|token_(revoked|expired)|no_permission|missing_scope|access_denied)$/

/** A Slack workspace, as a bot, or one channel of it by an incoming webhook. */
export const slack = defineProvider({
  provider: 'slack',
  name: 'Slack',
  description: 'A Slack workspace by a bot token, or a channel by an incoming webhook',
  config: z.strictObject({}),
  secrets,
  check: (_config, given, { bases }) => {
    if ((given.bot_token === undefined) === (given.webhook_url === undefined))
      return [{ pointer: '/secrets', detail: 'must have either bot_token or webhook_url' }]
    return given.webhook_url === undefined || given.webhook_url.startsWith(`${bases.slackHooks}/`)
      ? []
      : [{ pointer: '/secrets/webhook_url', detail: `must begin with ${bases.slackHooks}/` }]
  },
  addresses: () => [],
  destination: () => null,
  test: ({ secrets: { bot_token: token, webhook_url: url } }, outside) =>
    token === undefined ? testWebhook(outside, url ?? '') : testToken(outside, token),
})

async function testToken(outside: Outside, token: string): Promise<void> {
  const url = under(outside.bases.slackApi, 'auth.test')
  const answer = await callProvider(outside, { url, method: 'POST', headers: { authorization: `Bearer ${token}` } })
  refuseFailure(answer, 'Slack')
  const said = AuthTest.safeParse(answer.json)
  if (!said.success) throw new ConnectionFailure('protocol', 'Slack gave an answer that is none of its own')
  const { ok, error = 'unknown' } = said.data
  if (!ok) throw new ConnectionFailure(refusals.test(error) ? 'unauthorized' : 'unavailable', `Slack says: ${error}`)
}

/** A message without text is refused before it is posted, but only where there is a webhook. */
async function testWebhook(outside: Outside, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await callProvider(outside, { url, method: 'POST', headers, body: '{}' })
  if (answer.status === 400 && /no_text|invalid_payload/.test(answer.text)) return
  const said = answer.text.slice(0, 100)
  if ([400, 403, 404, 410].includes(answer.status))
    throw new ConnectionFailure('unauthorized', `Slack does not take this webhook: ${said}`)
  refuseFailure(answer, 'Slack')
}
