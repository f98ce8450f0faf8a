import { createHash, randomUUID } from 'node:crypto'
import type { AccessContext, EdgeRequestOptions, Mailbox } from '@wp/testkit'
import { Client } from 'pg'

type OpenRequest = (context: AccessContext, mailbox: Mailbox) => Promise<EdgeRequestOptions & { query?: string }>

const clientOf = ({ fleet: { owner } }: AccessContext) => ({
  client_id: owner.clientId,
  client_secret: owner.clientSecret,
})

/** Requests that succeed without a credential, of endpoints that take a body. */
export const openRequests: Readonly<Record<string, OpenRequest>> = {
  'auth.exchangeToken': async (context) => ({ body: { grant_type: 'client_credentials', ...clientOf(context) } }),
  'auth.revokeToken': async (context) => ({
    body: { token: await context.fleet.token(context.fleet.owner), ...clientOf(context) },
  }),
  'auth.registerClient': async () => ({
    body: { client_name: 'Example', redirect_uris: ['https://app.example.com/callback'] },
  }),
  'auth.login': async () => ({ body: { email: 'ada@example.com' } }),
  'auth.verify': async ({ fleet }, mailbox) => {
    const email = 'owner@example.com'
    mailbox.clear() // it may hold the mail of a re-authentication
    const { body } = await fleet.request('POST', '/v1/auth/login', { body: { email } })
    const { code } = await mailbox.waitFor(({ to, code: given }) => to === email && given !== null)
    return { body: { login_id: body.data.login_id, code } }
  },
  'auth.startPasskeyLogin': async () => ({
    body: { code_challenge: createHash('sha256').update('verifier').digest('base64url') },
  }),
  'auth.startPasskeyRecovery': async ({ fleet }, mailbox) => {
    const name = randomUUID()
    const { ownerId } = await fleet.seed(name)
    const client = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl ?? '' })
    await client.connect()
    await client.query('INSERT INTO passkey_settings (user_id) VALUES ($1)', [ownerId])
    await client.end()
    const email = `${name}@example.com`
    const { body } = await fleet.request('POST', '/v1/auth/login', { body: { email } })
    const { code } = await mailbox.waitFor((mail) => mail.to === email && mail.code !== null)
    return { body: { login_id: body.data.login_id, code } }
  },
  'auth.acceptInvitation': async (context, mailbox) => {
    const email = 'invited@example.com'
    await context.createId('/v1/auth/admin/users', { email, role: 'member' }, 'user_id')
    const { link } = await mailbox.waitFor(({ to }) => to === email)
    return { body: { token: new URL(link ?? '').searchParams.get('token') } }
  },
  'webhooks.receive': async (context) => {
    const { endpoint } = await context.create('/v1/webhooks/receivers')
    return { query: new URL(endpoint ?? '').search, body: { event: 'DATA_SYNC_FINISHED' } }
  },
}
