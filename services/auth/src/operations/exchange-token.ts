import { type auth, type InputOf, invalidField, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'
import { refreshGrant } from '../sessions/refresh-grant.ts'
import { clientCredentialsGrant } from '../tokens/client-credentials-grant.ts'

type Token = typeof auth.exchangeToken

/** A token for the credentials of a service principal (form A) or for a refresh token (form B). */
export const exchangeToken: Operation<Token, Context> = async (context, caller, input) => {
  const isForm = input.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
  switch (grantTypeOf(input.body, isForm)) {
    case 'client_credentials':
      return await clientCredentialsGrant(context, caller, input)
    case 'refresh_token': {
      const { answer, fields } = await refreshGrant(context, caller, input)
      const { user: _user, refresh_expires_at: _end, ...standard } = answer
      return { result: { success: true, data: answer, ...(isForm ? standard : {}) }, headers: fields }
    }
    default:
      throw problem('unsupported_grant_type', { detail: 'grant_type must be client_credentials or refresh_token' })
  }
}

/** JSON may leave the grant type out, as the public contract shows it; form-encoded it is OAuth and may not. */
function grantTypeOf(body: InputOf<Token>['body'], isForm: boolean): string {
  if (body.grant_type === undefined && isForm) throw invalidField('/grant_type', 'is required', 'invalid_request')
  return body.grant_type ?? (body.refresh_token === undefined ? 'client_credentials' : 'refresh_token')
}
