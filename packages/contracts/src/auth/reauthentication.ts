import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'
import { PasskeyAssertion } from './passkeys/passkey-shapes.ts'
import { Login } from './sign-in.ts'

/**
 * The time since the authentication of the user after which the edge refuses endpoints that `requiresStepUp` names, in
 * sessions with step-up authentication.
 */
export const stepUpMaxAgeSeconds = 600

/** Common to both endpoints: they belong to the session of the caller, not to a workspace. */
const ownSession = { credentials: ['bearer'], principals: ['user'], workspace: 'none' } as const

/** The proof of a re-authentication. */
export type ReauthenticationProof = { loginId: string; code: string } | { passkey: PasskeyAssertion }

/** Any text as a code: a malformed value is reported like a wrong one. */
const Reauthentication = z
  .strictObject({
    // Any text: a malformed value is reported like a wrong one.
    login_id: text(100).optional().describe('The `login_id` of the requested mail'),
    code: text(32).optional().describe('The code in the mail'),
    passkey: PasskeyAssertion.optional(),
  })
  .transform(({ login_id: loginId, code, passkey }, context): ReauthenticationProof => {
    const addIssue = (name: string, message: string) => {
      context.issues.push({ code: 'custom', path: [name], message, input: undefined })
      return z.NEVER
    }
    if (passkey !== undefined) {
      if (loginId !== undefined) return addIssue('login_id', 'must not be given beside passkey')
      return code === undefined ? { passkey } : addIssue('code', 'must not be given beside passkey')
    }
    if (loginId === undefined) return addIssue('login_id', 'is required')
    return code === undefined ? addIssue('code', 'is required') : { loginId, code }
  })
  .describe('Either `login_id` with `code`, or `passkey`.')

/** Re-authentication within a session, for the endpoints that `requiresStepUp` names. */
export const authReauthentication = declareEndpoints('auth', {
  startReauthentication: {
    method: 'POST',
    path: '/v1/auth/reauthentication',
    summary: 'Request a mail with a code for the re-authentication of this session',
    description:
      'Sends a six-digit code to the address of the signed-in user. The code expires in ten minutes, works once, and only ' +
      'in the session that requested it. It cannot be used to sign in.',
    ...ownSession,
    accepted: Login,
  },
  verifyReauthentication: {
    method: 'POST',
    path: '/v1/auth/reauthentication/verify',
    summary: 'Re-authenticate with the code of the mail or a passkey, and get a new access token of this session',
    description:
      'The `auth_time` of the session, and of the access tokens that are issued from now on, becomes the present time. ' +
      'Access tokens issued before keep theirs. After five wrong codes a mail no longer works. Every failure is reported ' +
      'as `invalid_login`.',
    ...ownSession,
    body: Reauthentication,
    ok: z
      .object({
        session_id: id('ses'),
        access_token: z.string().describe('A new access token of the session; send it as `Authorization: Bearer`'),
        token_type: z.literal('Bearer').describe('How the token is used'),
        expires_in: z.number().int().describe('Seconds until the access token expires'),
        auth_time: z.number().int().describe('Time of the re-authentication, in seconds since 1970'),
      })
      .meta({ id: 'ReauthenticatedToken' }),
    secret: { idField: 'session_id' },
    // It is how a session authenticates again.
    stepUp: false,
    errors: ['invalid_login'],
  },
})
