import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import type { ErrorCode } from '../core/error.ts'
import { id } from '../core/id.ts'
import { text, timestamp } from '../core/shape.ts'
import { SessionTokens } from './session-shapes.ts'

const redirectUri = text(2000).meta({
  description: 'Where the browser goes on to; exactly one of those the operator listed',
})
const codeChallenge = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url SHA-256 of the verifier: 43 characters')
  .meta({ description: 'PKCE (RFC 7636), method S256' })

const NewLogin = z
  .strictObject({
    email: z.email('must be a mail address').max(254),
    redirect_uri: redirectUri.optional(),
    code_challenge: codeChallenge.optional(),
  })
  .refine((given) => given.code_challenge === undefined || given.redirect_uri !== undefined, {
    path: ['redirect_uri'],
    message: 'is required beside code_challenge',
  })

/** Any text: what is wrong about it is for `verify` to find, and gets the one answer every failure gets. */
const presented = (max: number) => text(max).optional()

/** How somebody proves that the sign-in is theirs. */
export type LoginProof =
  | { by: 'token'; loginId: string; token: string }
  | { by: 'code'; loginId: string; code: string }
  | { by: 'login_code'; loginCode: string; codeVerifier: string }

const Verification = z
  .strictObject({
    login_id: presented(100),
    token: presented(200),
    code: presented(32),
    login_code: presented(200),
    code_verifier: presented(128),
  })
  .transform((given, context): LoginProof => {
    const refuse = (name: keyof typeof given, message: string) => {
      context.issues.push({ code: 'custom', path: [name], message, input: given[name] })
      return z.NEVER
    }
    const { login_id: loginId, token, code, login_code: loginCode, code_verifier: codeVerifier } = given
    if (loginCode !== undefined || codeVerifier !== undefined) {
      if (loginCode === undefined) return refuse('login_code', 'is required beside code_verifier')
      if (codeVerifier === undefined) return refuse('code_verifier', 'is required beside login_code')
      for (const name of ['login_id', 'token', 'code'] as const)
        if (given[name] !== undefined) return refuse(name, 'must not be given beside login_code')
      return { by: 'login_code', loginCode, codeVerifier }
    }
    if (loginId === undefined) return refuse('login_id', 'is required')
    if (token !== undefined && code !== undefined) return refuse('code', 'must not be given beside token')
    if (token !== undefined) return { by: 'token', loginId, token }
    if (code !== undefined) return { by: 'code', loginId, code }
    return refuse('token', 'is required, or code')
  })
  .meta({ description: 'Either `login_id` with `token` or `code`, or `login_code` with `code_verifier`' })

/** What people open in a browser: anything a mail program or a provider adds to the address is let pass. */
const linkQuery = z.object({ token: z.string().max(200).optional() })
const linkBody = z.strictObject({ token: z.string().max(200).optional() })

/** Both are required, which the operation says: a provider that is not set up here is not there, whatever it is asked. */
const begin = z.strictObject({ redirect_uri: redirectUri.optional(), code_challenge: codeChallenge.optional() })

/** RFC 6749 section 4.1.2: what is not known is ignored. */
const callback = z.object({
  code: z.string().max(4096).optional(),
  state: z.string().max(500).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(2000).optional(),
})

/** What all endpoints of a sign-in have in common: whoever calls them is not signed in. */
const open = { credentials: 'none', workspace: 'none' } as const

const notSetUp: readonly ErrorCode[] = ['provider_not_configured']

/** Signing people in: by mail, and by the accounts they have elsewhere. */
export const authSignIn = {
  login: endpoint({
    id: 'auth.login',
    method: 'POST',
    path: '/v1/auth/login',
    summary: 'Ask for a mail that signs in',
    description:
      'Sends a mail with a link and a code of six digits, which hold for ten minutes and once. The answer is the same ' +
      'whether the address is known. `login_id` proves, together with either, that the one who asked is the one who read.',
    ...open,
    body: NewLogin,
    accepted: z.object({ login_id: id('login'), expires_at: timestamp() }).meta({ id: 'Login' }),
    setsCookies: true,
    errors: ['rate_limited'],
  }),
  verify: endpoint({
    id: 'auth.verify',
    method: 'POST',
    path: '/v1/auth/verify',
    summary: 'Sign in with what the mail held, or with the code a browser brought back',
    description:
      'Takes `login_id` with the `token` of the link or the `code` of the mail, or `login_code` with `code_verifier`. ' +
      'Five wrong codes use a mail up. Whatever is wrong, the answer is `invalid_login`.',
    ...open,
    body: Verification,
    ok: SessionTokens,
    setsCookies: true,
    errors: ['invalid_login', 'signup_closed', 'rate_limited'],
  }),
  showLoginLink: endpoint({
    id: 'auth.showLoginLink',
    method: 'GET',
    path: '/v1/auth/login/link',
    summary: 'The page the link of the mail opens; it uses nothing up',
    ...open,
    query: linkQuery,
    headers: ['cookie'],
    response: 'html',
  }),
  openLoginLink: endpoint({
    id: 'auth.openLoginLink',
    method: 'POST',
    path: '/v1/auth/login/link',
    summary: 'Go on from the page of the link, in the browser that asked for the mail',
    ...open,
    input: 'form',
    body: linkBody,
    headers: ['cookie', 'sec-fetch-site'],
    response: 'html-or-redirect',
  }),
  loginWithGoogle: endpoint({
    id: 'auth.loginWithGoogle',
    method: 'GET',
    path: '/v1/auth/login/google',
    summary: 'Sign in with Google',
    ...open,
    query: begin,
    response: 'redirect',
    errors: notSetUp,
  }),
  googleCallback: endpoint({
    id: 'auth.googleCallback',
    method: 'GET',
    path: '/v1/auth/login/google/callback',
    summary: 'Where Google sends the browser back to',
    ...open,
    query: callback,
    headers: ['cookie'],
    response: 'html-or-redirect',
    errors: notSetUp,
  }),
  loginWithGithub: endpoint({
    id: 'auth.loginWithGithub',
    method: 'GET',
    path: '/v1/auth/login/github',
    summary: 'Sign in with GitHub',
    ...open,
    query: begin,
    response: 'redirect',
    errors: notSetUp,
  }),
  githubCallback: endpoint({
    id: 'auth.githubCallback',
    method: 'GET',
    path: '/v1/auth/login/github/callback',
    summary: 'Where GitHub sends the browser back to',
    ...open,
    query: callback,
    headers: ['cookie'],
    response: 'html-or-redirect',
    errors: notSetUp,
  }),
}
