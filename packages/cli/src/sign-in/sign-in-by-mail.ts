import type { Client } from '@wp/client'
import type { SessionTokens } from '@wp/contracts'
import { type Context, report } from '../context.ts'
import { isApiError, UsageError } from '../errors.ts'
import { createPrompt, type Prompt } from './prompt.ts'

/** Attempts at the code; the platform allows a few more. */
const maxAttempts = 3

/** Signs in with the code of a mail, for which it asks. @param client has no credential */
export async function signInByMail(
  context: Context,
  client: Client,
  email: string | undefined,
): Promise<SessionTokens> {
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
