import { type authSignIn, invalidField, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import {
  authorizationTimeoutSeconds,
  createAuthorizationRequest,
  sealPendingAuthorization,
} from '../providers/pending-authorization.ts'
import type { Provider, ProviderName } from '../providers/provider.ts'
import { providerLoginCookie } from '../sign-in/cookies.ts'

type LoginWithProvider = typeof authSignIn.loginWithGoogle | typeof authSignIn.loginWithGithub

/** Sends the browser to a provider, with what ties its coming back to this browser and this attempt. */
const createProviderLogin =
  (name: ProviderName): Operation<LoginWithProvider, Context> =>
  async (context, _caller, { query: { redirect_uri: redirectUri, code_challenge: codeChallenge } }) => {
    const provider = requireProvider(context, name)
    if (redirectUri === undefined) throw invalidField('?redirect_uri', 'is required')
    if (codeChallenge === undefined) throw invalidField('?code_challenge', 'is required')
    if (!context.redirectUris.has(redirectUri))
      throw invalidField('?redirect_uri', 'is not one that the operator listed')
    const attempt = createAuthorizationRequest()
    const endsAt = context.now() + authorizationTimeoutSeconds * 1000
    const sealed = sealPendingAuthorization(context.sealer, {
      provider: name,
      ...attempt,
      redirectUri,
      codeChallenge,
      endsAt,
    })
    const url = await provider
      .authorizationUrl(attempt, callbackUrl(context.publicBaseUrl, name))
      .catch((cause: unknown) => {
        throw problem('bad_gateway', { detail: `${name} does not answer`, cause })
      })
    return {
      location: url.href,
      cookies: [providerLoginCookie(context.publicBaseUrl).set(sealed, authorizationTimeoutSeconds)],
    }
  }

/** @throws Problem `provider_not_configured` */
export function requireProvider({ providers }: Pick<Context, 'providers'>, name: ProviderName): Provider {
  const provider = providers.get(name)
  if (provider === undefined) throw problem('provider_not_configured')
  return provider
}

/** One for each provider, so that the answer of one cannot be taken for another's (RFC 9700 section 4.4.2). */
export const callbackUrl = (base: string, name: ProviderName): string => `${base}/v1/auth/login/${name}/callback`

export const loginWithGoogle = createProviderLogin('google')
export const loginWithGithub = createProviderLogin('github')
