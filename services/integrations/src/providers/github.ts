import { text } from '@wp/contracts'
import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { clientOrToken } from './client-or-token.ts'
import { callProvider, refuseFailure } from './http-call.ts'
import { defineProvider, type Outside } from './provider.ts'
import { headerSecret, secretText, under } from './shapes.ts'

const config = z.strictObject({
  client_id: text(500).optional().meta({ description: 'Of an OAuth app; needed with client_secret' }),
})

const secrets = z.strictObject({
  client_secret: secretText().optional(),
  token: headerSecret().optional().meta({ description: 'A personal access token, or one of an app' }),
})

const Refusal = z.object({ error: z.string() })

/** A GitHub account or OAuth app. */
export const github = defineProvider({
  provider: 'github',
  name: 'GitHub',
  description: 'A GitHub account by a token, or an OAuth app',
  config,
  secrets,
  check: clientOrToken,
  addresses: () => [],
  destination: () => null,
  async test({ config: { client_id: id }, secrets: { client_secret: secret, token } }, outside) {
    if (token !== undefined) await testToken(outside, token)
    if (id !== undefined && secret !== undefined) await testApp(outside, id, secret)
  },
})

async function testToken(outside: Outside, token: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  refuseFailure(await callProvider(outside, { url: under(outside.bases.githubApi, 'user'), headers }), 'GitHub')
}

/** Tries a code that cannot be: GitHub looks at the app first, and says which of the two it does not know. */
async function testApp(outside: Outside, id: string, secret: string): Promise<void> {
  const answer = await callProvider(outside, {
    url: under(outside.bases.github, 'login/oauth/access_token'),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: id, client_secret: secret, code: 'none' }).toString(),
  })
  if (answer.status === 404) throw new ConnectionFailure('unauthorized', 'GitHub does not know this client_id')
  refuseFailure(answer, 'GitHub')
  const error = Refusal.safeParse(answer.json).data?.error
  if (error === undefined) throw new ConnectionFailure('protocol', 'GitHub gave an answer that is none of its own')
  if (error !== 'bad_verification_code') throw new ConnectionFailure('unauthorized', `GitHub says: ${error}`)
}
