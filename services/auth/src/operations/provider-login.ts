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

/**
 * Redirects the browser to a provider, with a cookie that binds the callback to this browser and request. The application
 * is the first configured redirect URI unless the request names another.
 */
const createProviderLogin =
  (name: ProviderName): Operation<LoginWithProvider, Context> =>
  async (context, _caller, { query: { redirect_uri: requested, code_challenge: codeChallenge } }) => {
    const provider = requireProvider(context, name)
    const [defaultRedirectUri] = context.redirectUris
    const redirectUri = requested ?? defaultRedirectUri
    if (redirectUri === undefined)
      throw invalidField('?redirect_uri', 'is not possible: the operator allows no redirect URI')
    if (codeChallenge === undefined) throw invalidField('?code_challenge', 'is required')
    if (!context.redirectUris.has(redirectUri))
      throw invalidField('?redirect_uri', 'is not one of the allowed redirect URIs')
    const request = createAuthorizationRequest()
    const endsAt = context.now() + authorizationTimeoutSeconds * 1000
    const sealed = sealPendingAuthorization(context.sealer, {
      provider: name,
      ...request,
      redirectUri,
      codeChallenge,
      endsAt,
    })
    const url = await provider
      .buildAuthorizationUrl(request, callbackUrl(context.publicBaseUrl, name))
      .catch((cause: unknown) => {
        throw problem('bad_gateway', { detail: `${name} is unavailable`, cause })
      })
    return {
      location: url.href,
      cookies: [providerLoginCookie(context.publicBaseUrl).set(sealed, authorizationTimeoutSeconds)],
    }
  }

/** Returns a configured provider. @throws Problem `provider_not_configured` */
export function requireProvider({ providers }: Pick<Context, 'providers'>, name: ProviderName): Provider {
  const provider = providers.get(name)
  if (provider === undefined) throw problem('provider_not_configured')
  return provider
}

/** Returns the redirect URI of a provider. Each has its own, to prevent mix-up attacks (RFC 9700 section 4.4.2). */
export const callbackUrl = (publicBaseUrl: string, name: ProviderName): string =>
  `${publicBaseUrl}/v1/auth/login/${name}/callback`

export const loginWithGoogle = createProviderLogin('google')
export const loginWithGithub = createProviderLogin('github')
