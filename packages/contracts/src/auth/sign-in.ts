import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import type { ErrorCode } from '../core/error/error.ts'
import { id } from '../core/shape/id.ts'
import { linkQuery } from '../core/shape/link.ts'
import { mailAddress } from '../core/shape/mail-address.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { PasskeyAssertion } from './passkeys/passkey-shapes.ts'
import { SessionTokens } from './shapes/session-shapes.ts'

const redirectUri = text(2000).describe('Target of the browser after sign-in; exactly one of those the operator allows')
/** The challenge that binds a sign-in to who began it. */
export const codeChallenge = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url SHA-256 of the verifier: 43 characters')
  .describe('PKCE (RFC 7636), method S256')

const NewLogin = z
  .strictObject({
    email: mailAddress().describe('Address to which the code is sent; it need not have an account'),
    redirect_uri: redirectUri.optional(),
    code_challenge: codeChallenge.optional(),
  })
  .refine((given) => given.code_challenge === undefined || given.redirect_uri !== undefined, {
    path: ['redirect_uri'],
    message: 'is required beside code_challenge',
  })

/** Any text: `verify` reports a malformed value like a wrong one, with `invalid_login`. */
const loginSecret = (max: number) => text(max).optional()

/** The proof that a sign-in belongs to the caller. */
export type LoginProof =
  | { by: 'token'; loginId: string; token: string }
  | { by: 'code'; loginId: string; code: string }
  | { by: 'login_code'; loginCode: string; codeVerifier: string | undefined }
  | { by: 'passkey'; passkey: PasskeyAssertion; codeVerifier: string }

/** A requested mail with a code: of a sign-in, or of a re-authentication. */
export const Login = z
  .object({
    login_id: id('login'),
    expires_at: timestamp().describe('When the code of the mail stops working'),
  })
  .meta({ id: 'Login' })

/** The body of `verify`, parsed. */
interface VerificationInput {
  proof: LoginProof
  /** True if the new session has step-up authentication. */
  isStepUp: boolean
}

const Verification = z
  .strictObject({
    login_id: loginSecret(100).describe('The `login_id` of the login'),
    token: loginSecret(200).describe('The token of the link in the mail'),
    code: loginSecret(64).describe('The code in the mail'),
    login_code: loginSecret(200).describe('The code of the redirect after a sign-in with a provider'),
    code_verifier: loginSecret(128).describe('The verifier of the `code_challenge` (RFC 7636)'),
    passkey: PasskeyAssertion.optional(),
    step_up: z
      .boolean()
      .optional()
      .describe(
        'True for a session with step-up authentication: endpoints that require a recent authentication refuse its access tokens when the last one is more than 10 minutes ago',
      ),
  })
  .transform((given, context): VerificationInput => {
    const addIssue = (name: keyof typeof given, message: string) => {
      context.issues.push({ code: 'custom', path: [name], message, input: given[name] })
      return z.NEVER
    }
    const { login_id: loginId, token, code, login_code: loginCode, code_verifier: codeVerifier, passkey } = given
    const withProof = (proof: LoginProof): VerificationInput => ({ proof, isStepUp: given.step_up === true })
    if (passkey !== undefined) {
      for (const name of ['login_id', 'token', 'code', 'login_code'] as const)
        if (given[name] !== undefined) return addIssue(name, 'must not be given beside passkey')
      if (codeVerifier === undefined) return addIssue('code_verifier', 'is required beside passkey')
      return withProof({ by: 'passkey', passkey, codeVerifier })
    }
    if (loginCode !== undefined || codeVerifier !== undefined) {
      if (loginCode === undefined) return addIssue('login_code', 'is required beside code_verifier')
      for (const name of ['login_id', 'token', 'code'] as const)
        if (given[name] !== undefined) return addIssue(name, 'must not be given beside login_code')
      return withProof({ by: 'login_code', loginCode, codeVerifier })
    }
    if (loginId === undefined) return addIssue('login_id', 'is required')
    if (token !== undefined && code !== undefined) return addIssue('code', 'must not be given beside token')
    if (token !== undefined) return withProof({ by: 'token', loginId, token })
    if (code !== undefined) return withProof({ by: 'code', loginId, code })
    return addIssue('token', 'is required, or `code`')
  })
  .describe(
    'Either `login_id` with `token` or `code`, or `login_code` or `passkey` with `code_verifier`. A sign-in with a provider that began without `code_challenge` keeps its verifier in a cookie; then only `login_code` is sent.',
  )

const linkBody = z.strictObject({ token: z.string().max(200).optional() })

/** The operation checks that both are given or neither is, so that a provider that is not configured is always 404. */
const authorizationQuery = z.strictObject({
  redirect_uri: redirectUri.optional().describe('Default: the first that the operator allows'),
  code_challenge: codeChallenge
    .optional()
    .describe('Default, if `redirect_uri` is not given either: the verifier is kept in a cookie'),
  authorization: z
    .string()
    .max(30_000)
    .optional()
    .describe('Set by the page of an authorization: the query of its request, to which the browser returns'),
})

/** Query of a provider's redirect. RFC 6749 section 4.1.2: unknown parameters are ignored. */
const callbackQuery = z.object({
  code: z.string().max(4096).optional(),
  state: z.string().max(500).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(2000).optional(),
})

/** Common to all endpoints of a sign-in: the caller is not signed in yet. */
const anonymous = { credentials: 'none', workspace: 'none' } as const

const providerErrors: readonly ErrorCode[] = ['provider_not_configured']

/** Sign-in by mail and by external providers. */
export const authSignIn = declareEndpoints('auth', {
  login: {
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Request a sign-in mail',
    description:
      'Sends a mail with a link and a six-digit code, which expire in ten minutes and work once. The response is the same ' +
      'for known and unknown addresses. `login_id`, together with the link or code, proves that the mail was requested ' +
      'by its reader.',
    ...anonymous,
    headers: ['cookie'],
    body: NewLogin,
    accepted: Login,
    setsCookies: true,
    setsHeaders: true,
    errors: ['rate_limited'],
  },
  verify: {
    method: 'POST',
    path: '/v1/auth/verify',
    summary: 'Sign in with the token or code of the mail, the code of a redirect, or a passkey',
    description:
      'Takes `login_id` with the `token` of the link or the `code` of the mail, or `login_code` or `passkey` with ' +
      '`code_verifier`. ' +
      'A browser that began at a provider without `code_challenge` has the verifier in a cookie. ' +
      'After five wrong codes a mail no longer works. Every failure is reported as `invalid_login`; `passkey_required` says that ' +
      'the proof is right, but the user signs in with passkeys only.',
    ...anonymous,
    headers: ['cookie', 'sec-fetch-site'],
    body: Verification,
    ok: SessionTokens,
    setsCookies: true,
    setsHeaders: true,
    errors: ['invalid_login', 'signup_closed', 'passkey_required', 'rate_limited'],
  },
  showLoginLink: {
    method: 'GET',
    path: '/v1/auth/login/link',
    summary: 'The page that the link of the mail opens; it does not use the link',
    ...anonymous,
    query: linkQuery,
    headers: ['cookie'],
    response: 'html',
  },
  openLoginLink: {
    method: 'POST',
    path: '/v1/auth/login/link',
    summary: 'Continue from the page of the link, in the browser that requested the mail',
    ...anonymous,
    input: 'form',
    body: linkBody,
    headers: ['cookie', 'sec-fetch-site'],
    response: 'html-or-redirect',
  },
  loginWithSso: {
    method: 'GET',
    path: '/v1/auth/login/sso',
    summary: 'Sign in with the identity provider of a company',
    description:
      'Open it in a browser with the mail address, whose domain names the company: it redirects to the provider, which sends the browser back to `redirect_uri` with a `login_code`. Exchange that at `POST /v1/auth/verify`. 404 if no workspace has verified the domain and connected a provider.',
    ...anonymous,
    query: authorizationQuery.extend({
      email: z.string().max(254).optional().describe('Mail address of the user'),
      test: z.string().max(2_000).optional().describe('Set by the test of a connection'),
    }),
    headers: ['cookie'],
    response: 'redirect',
    errors: ['provider_not_configured', 'bad_gateway'],
  },
  ssoCallback: {
    method: 'GET',
    path: '/v1/auth/login/sso/{workspace_id}/callback',
    summary: 'Receive the redirect from the identity provider of a company',
    ...anonymous,
    params: z.object({ workspace_id: id('ws') }),
    query: callbackQuery,
    headers: ['cookie'],
    response: 'html-or-redirect',
    errors: ['provider_not_configured'],
  },
  samlCallback: {
    method: 'POST',
    path: '/v1/auth/login/sso/{workspace_id}/callback',
    summary: 'Receive a response of the SAML identity provider of a company',
    description:
      'The assertion consumer service (SAML 2.0, HTTP POST binding). It verifies the response and redirects the browser to the same address, where the cookie of the sign-in is checked. A response that answers no request never signs in: it starts a sign-in at the identity provider.',
    ...anonymous,
    input: 'form',
    params: z.object({ workspace_id: id('ws') }),
    // Other parameters of providers are ignored.
    body: z.object({ SAMLResponse: z.string().max(700_000).optional(), RelayState: z.string().max(500).optional() }),
    response: 'html-or-redirect',
    errors: ['provider_not_configured'],
  },
  samlMetadata: {
    method: 'GET',
    path: '/v1/auth/login/sso/{workspace_id}/metadata',
    summary: 'Read the metadata of a workspace as a SAML service provider',
    description: 'Enter its address at the identity provider. 404 if the workspace has no SAML connection.',
    ...anonymous,
    params: z.object({ workspace_id: id('ws') }),
    response: 'http',
    httpResponses: {
      200: { description: 'The metadata', content: { 'application/samlmetadata+xml': z.string() } },
    },
    errors: ['provider_not_configured'],
  },
  loginWithGoogle: {
    method: 'GET',
    path: '/v1/auth/login/google',
    summary: 'Sign in with Google',
    description:
      'Open it in a browser: it redirects to the provider, which sends the browser back to `redirect_uri` with a `login_code`. Exchange that at `POST /v1/auth/verify`. 404 if the operator has not configured the provider.',
    ...anonymous,
    query: authorizationQuery,
    headers: ['cookie'],
    response: 'redirect',
    errors: providerErrors,
  },
  googleCallback: {
    method: 'GET',
    path: '/v1/auth/login/google/callback',
    summary: 'Receive the redirect from Google',
    ...anonymous,
    query: callbackQuery,
    headers: ['cookie'],
    response: 'html-or-redirect',
    errors: providerErrors,
  },
  loginWithGithub: {
    method: 'GET',
    path: '/v1/auth/login/github',
    summary: 'Sign in with GitHub',
    description:
      'Open it in a browser: it redirects to the provider, which sends the browser back to `redirect_uri` with a `login_code`. Exchange that at `POST /v1/auth/verify`. 404 if the operator has not configured the provider.',
    ...anonymous,
    query: authorizationQuery,
    headers: ['cookie'],
    response: 'redirect',
    errors: providerErrors,
  },
  githubCallback: {
    method: 'GET',
    path: '/v1/auth/login/github/callback',
    summary: 'Receive the redirect from GitHub',
    ...anonymous,
    query: callbackQuery,
    headers: ['cookie'],
    response: 'html-or-redirect',
    errors: providerErrors,
  },
})
