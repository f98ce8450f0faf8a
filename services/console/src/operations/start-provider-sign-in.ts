import { problem } from '@wp/contracts'
import { z } from 'zod'
import { providerEndpoints, providerNames } from '../platform/provider-directory.ts'
import { beginSignIn } from '../session/begin-sign-in.ts'
import { sessionEndpoint } from './operation.ts'

/** Returns the address to which the app sends the browser to sign in with a provider. */
export const startProviderSignIn = sessionEndpoint({
  method: 'POST',
  path: '/providers',
  body: z.strictObject({ provider: z.enum(providerNames) }),
  async run(context, browser, { body: { provider } }) {
    const configured = await context.platform.providers.list()
    if (!configured.includes(provider)) throw problem('provider_not_configured')
    const { redirectUri, codeChallenge, cookie } = await beginSignIn(context, browser)
    const location = new URL(context.config.PUBLIC_BASE_URL + providerEndpoints[provider].path)
    location.searchParams.set('redirect_uri', redirectUri)
    location.searchParams.set('code_challenge', codeChallenge)
    return { data: { location: location.href }, cookies: [cookie] }
  },
})
