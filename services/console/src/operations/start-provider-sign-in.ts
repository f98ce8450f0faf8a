import { authSignIn, mailAddress, problem } from '@wp/contracts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { providerEndpoints, providerNames } from '../platform/provider-directory.ts'
import { beginSignIn } from '../session/begin-sign-in.ts'
import type { Browser } from '../session/read-browser.ts'
import { sessionEndpoint } from './operation.ts'

/** Returns the address to which the app sends the browser to sign in with a provider. */
export const startProviderSignIn = sessionEndpoint({
  method: 'POST',
  path: '/providers',
  body: z.strictObject({ provider: z.enum(providerNames) }),
  async run(context, browser, { body: { provider } }) {
    const configured = await context.platform.providers.list()
    if (!configured.includes(provider)) throw problem('provider_not_configured')
    return await beginAt(context, browser, providerEndpoints[provider].path)
  },
})

/** The same with the provider of the company that the domain of the mail address names. */
export const startCompanySignIn = sessionEndpoint({
  method: 'POST',
  path: '/company',
  body: z.strictObject({ email: mailAddress() }),
  async run(context, browser, { body: { email } }) {
    if (!(await context.platform.providers.hasCompany(email, browser.headers))) throw problem('provider_not_configured')
    return await beginAt(context, browser, authSignIn.loginWithSso.path, { email })
  },
})

async function beginAt(context: Context, browser: Browser, path: string, query: Record<string, string> = {}) {
  const { redirectUri, codeChallenge, cookie } = await beginSignIn(context, browser)
  const location = new URL(context.config.PUBLIC_BASE_URL + path)
  const parameters = { ...query, redirect_uri: redirectUri, code_challenge: codeChallenge }
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
  return { data: { location: location.href }, cookies: [cookie] }
}
