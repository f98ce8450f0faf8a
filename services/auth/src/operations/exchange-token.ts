import { type auth, type InputOf, invalidField, type Operation, problem, type SessionTokens } from '@wp/contracts'
import type { Context } from '../context.ts'
import { authorizationCodeGrant } from '../grants/authorization-code-grant.ts'
import { clientCredentialsGrant } from '../grants/client-credentials-grant.ts'
import { refreshTokenGrant } from '../grants/refresh-token-grant.ts'

type Token = typeof auth.exchangeToken

/** Exchanges the credentials of a service principal, a refresh token or an authorization code for an access token. */
export const exchangeToken: Operation<Token, Context> = async (context, caller, input) => {
  const isForm = input.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
  switch (grantTypeOf(input.body, isForm)) {
    case 'client_credentials':
      return await clientCredentialsGrant(context, caller, input)
    case 'refresh_token':
      return sessionResponse(await refreshTokenGrant(context, caller, input), isForm)
    case 'authorization_code':
      return sessionResponse(await authorizationCodeGrant(context, caller, input), isForm)
    default:
      throw problem('unsupported_grant_type', {
        detail: 'grant_type must be client_credentials, refresh_token or authorization_code',
      })
  }
}

/** In a response to a form, the values are also at the top level, where OAuth libraries expect them. */
function sessionResponse<Headers>({ tokens, headers }: { tokens: SessionTokens; headers: Headers }, isForm: boolean) {
  const { user: _user, refresh_expires_at: _end, ...standard } = tokens
  return { result: { success: true as const, data: tokens, ...(isForm ? standard : {}) }, headers }
}

/** Returns the grant type. Optional in JSON, as the public contract allows; required in forms, as OAuth demands. */
function grantTypeOf(body: InputOf<Token>['body'], isForm: boolean): string {
  if (body.grant_type === undefined && isForm) throw invalidField('/grant_type', 'is required', 'invalid_request')
  if (body.grant_type !== undefined) return body.grant_type
  if (body.code !== undefined) return 'authorization_code'
  return body.refresh_token === undefined ? 'client_credentials' : 'refresh_token'
}
