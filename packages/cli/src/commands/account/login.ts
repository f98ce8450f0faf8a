import type { Client, Credential } from '@wp/client'
import type { SessionTokens } from '@wp/contracts'
import { type Context, report } from '../../context.ts'
import type { StoredCredential } from '../../credentials/credential.ts'
import { createCredentialStore, parseBaseUrl, resolveBaseUrl } from '../../credentials/credential-store.ts'
import { toStoredSession } from '../../credentials/session-tokens.ts'
import { isApiError, UsageError } from '../../errors.ts'
import { createPrompt, type Prompt } from '../../sign-in/prompt.ts'

/** Attempts at the code; the platform allows a few more. */
const maxAttempts = 3

interface LoginFlags {
  email: string | undefined
  web: boolean
  withKey: boolean
  baseUrl: string | undefined
  workspace: string | undefined
}

export async function login(this: Context, flags: LoginFlags): Promise<void> {
  const { createClient } = await import('../../create-client.ts')
  const store = createCredentialStore(this)
  const baseUrl =
    flags.baseUrl === undefined ? await resolveBaseUrl(this, store) : parseBaseUrl(flags.baseUrl, '--base-url')
  const anonymous = createClient({ baseUrl, credential: { session: true } })
  const credential = await obtainCredential(this, flags, baseUrl, anonymous)
  const profile = await createClient({ baseUrl, credential: toClientCredential(credential) }).auth.me()
  const workspaceId = profile.credential.workspace_id ?? chooseWorkspace(profile.workspaces ?? [], flags.workspace)
  const place = await store.write(baseUrl, credential, workspaceId)
  report(this, `Signed in to ${baseUrl} as ${profile.email ?? profile.key_id ?? profile.principal_type}.`)
  report(this, workspaceId === undefined ? 'You are a member of no workspace.' : `Workspace: ${workspaceId}`)
  report(this, `The credential is stored in ${place}.`)
  for (const name of ['WP_API_KEY', 'WP_TOKEN'])
    if (this.env[name]) report(this, `Note: ${name} is set, and takes precedence over the stored credential.`)
  if ((await resolveBaseUrl(this, store)) !== baseUrl) report(this, 'Note: WP_BASE_URL names another platform.')
}

async function obtainCredential(
  context: Context,
  { email, web, withKey }: LoginFlags,
  baseUrl: string,
  anonymous: Client,
): Promise<StoredCredential> {
  if (withKey) return readKey(context)
  if (!web) return toStoredSession(await signInByMail(context, anonymous, email), context.now())
  const { signInWithBrowser } = await import('../../sign-in/sign-in-with-browser.ts')
  const { tokens, clientId } = await signInWithBrowser(context, baseUrl)
  return toStoredSession(tokens, context.now(), clientId)
}

async function readKey(context: Context): Promise<StoredCredential> {
  const prompt = createPrompt(context)
  try {
    return { type: 'api_key', api_key: await prompt.ask(context.stdin.isTTY === true ? 'API key: ' : '') }
  } finally {
    prompt.close()
  }
}

const toClientCredential = (credential: StoredCredential): Credential =>
  credential.type === 'api_key' ? { apiKey: credential.api_key } : { accessToken: credential.access_token }

function chooseWorkspace(
  memberships: readonly { workspace_id: string }[],
  requested: string | undefined,
): string | undefined {
  if (requested === undefined) return memberships[0]?.workspace_id
  if (memberships.some(({ workspace_id }) => workspace_id === requested)) return requested
  const known = memberships.map(({ workspace_id }) => workspace_id).join(', ') || 'none'
  throw new UsageError(`--workspace: you are not a member of ${requested}; your workspaces: ${known}`)
}

/** Signs in with the code of a mail, for which it asks. @param client has no credential */
async function signInByMail(context: Context, client: Client, email: string | undefined): Promise<SessionTokens> {
  if (email === undefined && context.stdin.isTTY !== true)
    throw new UsageError('--email is required when standard input is not a terminal')
  const prompt = createPrompt(context)
  try {
    const address = email ?? (await prompt.ask('Mail address: '))
    const { login_id } = await client.auth.login({ body: { email: address } })
    report(context, `A mail with a code is on its way to ${address}.`)
    return await verifyCode(context, client, prompt, login_id)
  } finally {
    prompt.close()
  }
}

async function verifyCode(context: Context, client: Client, prompt: Prompt, loginId: string): Promise<SessionTokens> {
  for (let attempt = 1; ; attempt += 1) {
    const code = await prompt.ask('Code: ')
    try {
      return await client.auth.verify({ body: { login_id: loginId, code: code.replaceAll(' ', '') } })
    } catch (error) {
      if (!isApiError(error) || error.code !== 'invalid_login' || attempt === maxAttempts) throw error
      report(context, 'The code is wrong or has expired.')
    }
  }
}
