import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { createCredentialStore, resolveBaseUrl } from '../../credentials/credential-store.ts'
import { AuthenticationRequiredError, isApiError } from '../../errors.ts'

export async function logout(this: Context): Promise<void> {
  const store = createCredentialStore(this)
  const baseUrl = await resolveBaseUrl(this, store)
  const stored = await store.read(baseUrl)
  if (stored === undefined) throw new AuthenticationRequiredError(`not signed in to ${baseUrl}`)
  if (stored.credential.type === 'session') await endSession(this)
  await store.remove(baseUrl)
  report(this, `Signed out of ${baseUrl}.`)
}

/** Ends the stored session. One that has ended already is no error. */
async function endSession(context: Context): Promise<void> {
  const { WP_API_KEY: _key, WP_TOKEN: _token, ...env } = context.env
  try {
    const { client } = await connect({ ...context, env }, { workspace: undefined })
    await client.auth.logout()
  } catch (error) {
    const hasEnded = error instanceof AuthenticationRequiredError || (isApiError(error) && error.status === 401)
    if (!hasEnded) throw error
  }
}
