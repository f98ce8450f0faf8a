import { type auth, type InputOf, invalidField, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { clientCredentialsGrant } from '../grants/client-credentials-grant.ts'
import { refreshTokenGrant } from '../grants/refresh-token-grant.ts'

type Token = typeof auth.exchangeToken

/** Exchanges the credentials of a service principal, or a refresh token, for an access token. */
export const exchangeToken: Operation<Token, Context> = async (context, caller, input) => {
  const isForm = input.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
  switch (grantTypeOf(input.body, isForm)) {
    case 'client_credentials':
      return await clientCredentialsGrant(context, caller, input)
    case 'refresh_token': {
      const { tokens, headers } = await refreshTokenGrant(context, caller, input)
      const { user: _user, refresh_expires_at: _end, ...standard } = tokens
      return { result: { success: true, data: tokens, ...(isForm ? standard : {}) }, headers }
    }
    default:
      throw problem('unsupported_grant_type', { detail: 'grant_type must be client_credentials or refresh_token' })
  }
}

/** Returns the grant type. Optional in JSON, as the public contract allows; required in forms, as OAuth demands. */
function grantTypeOf(body: InputOf<Token>['body'], isForm: boolean): string {
  if (body.grant_type === undefined && isForm) throw invalidField('/grant_type', 'is required', 'invalid_request')
  return body.grant_type ?? (body.refresh_token === undefined ? 'client_credentials' : 'refresh_token')
}
