import { type EndpointDefinition, problem, requiresStepUp } from '@wp/contracts'
import type { ResolvedCredential } from './identify/resolved-credential.ts'

/**
 * Checks that the user has authenticated recently, if the endpoint and the access token demand it (step-up
 * authentication, RFC 9470). Called when everything else permits the request, so that no one re-authenticates in vain.
 *
 * @param now milliseconds since 1970
 * @throws Problem 401 `reauthentication_required`
 */
export function requireRecentAuthentication(
  definition: EndpointDefinition,
  { authTime = 0, maxAuthAge }: Pick<ResolvedCredential, 'authTime' | 'maxAuthAge'>,
  now: number,
): void {
  if (!requiresStepUp(definition) || maxAuthAge === undefined || now / 1000 - authTime <= maxAuthAge) return
  throw problem('reauthentication_required', {
    detail: `The last authentication was more than ${maxAuthAge} seconds ago; re-authenticate and use the new token`,
    extra: { max_age: maxAuthAge },
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAuthAge}"` },
  })
}
