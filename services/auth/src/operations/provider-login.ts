import { type authSignIn, type InputOf, invalidField, type Operation, problem } from '@wp/contracts'
import { authorizationAddress } from '../authorization/authorization-request.ts'
import type { Context } from '../context.ts'
import {
  authorizationTimeoutSeconds,
  createAuthorizationRequest,
  type PendingAuthorization,
  sealPendingAuthorization,
} from '../providers/pending-authorization.ts'
import type { Provider, ProviderName } from '../providers/provider.ts'
import { loginVerifierCookies, placeOfNewCookie, providerLoginCookies } from '../sign-in/cookies.ts'
import { codeChallengeOf, generateCodeVerifier, loginCodeLifetimeSeconds } from '../sign-in/login-secrets.ts'

type LoginWithProvider = typeof authSignIn.loginWithGoogle | typeof authSignIn.loginWithGithub

/**
 * Redirects the browser to a provider, with a cookie that binds the callback to this browser and request. The
 * application is the first configured redirect URI unless the request names another.
 */
const createProviderLogin =
  (name: ProviderName): Operation<LoginWithProvider, Context> =>
  async (context, _caller, { query, headers }) => {
    const provider = requireProvider(context, name)
    const { redirectUri, codeChallenge, verifier } = readReturnTarget(context, query)
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
    const pendingCookies = providerLoginCookies(context.publicBaseUrl)
    const place = placeOfNewCookie(pendingCookies, headers.cookie)
    const verifierCookie = loginVerifierCookies(context.publicBaseUrl)[place]
    const cookies = [
      pendingCookies[place]?.set(sealed, authorizationTimeoutSeconds),
      verifier && verifierCookie?.set(verifier, authorizationTimeoutSeconds + loginCodeLifetimeSeconds),
    ]
    return { location: url.href, cookies: cookies.filter((cookie) => cookie !== undefined) }
  }

/**
 * The address to which the browser returns after the sign-in, and the PKCE challenge to which the login code is bound.
 */
interface ReturnTarget extends Pick<PendingAuthorization, 'redirectUri' | 'codeChallenge'> {
  /** Set if the application made none: the browser keeps it for `verify`. */
  verifier?: string
}

/** Reads where the browser returns to after the sign-in. @throws Problem `validation_failed` */
export function readReturnTarget(
  { publicBaseUrl, redirectUris }: Context,
  {
    redirect_uri: requested,
    code_challenge: codeChallenge,
    authorization,
  }: InputOf<typeof authSignIn.loginWithGoogle>['query'],
): ReturnTarget {
  if (authorization !== undefined)
    return { redirectUri: authorizationAddress(publicBaseUrl, authorization), codeChallenge: null }
  const [defaultRedirectUri] = redirectUris
  const redirectUri = requested ?? defaultRedirectUri
  if (redirectUri === undefined) throw new Error('no redirect URI is configured')
  if (requested === undefined && codeChallenge === undefined) {
    const verifier = generateCodeVerifier()
    return { redirectUri, codeChallenge: codeChallengeOf(verifier), verifier }
  }
  if (codeChallenge === undefined) throw invalidField('?code_challenge', 'is required')
  if (!redirectUris.has(redirectUri)) throw invalidField('?redirect_uri', 'is not one of the allowed redirect URIs')
  return { redirectUri, codeChallenge }
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
