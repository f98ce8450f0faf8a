import { type Caller, problem } from '@wp/contracts'

const requiredScope = 'integrations:read'

/**
 * Data that is read or embedded through an integration is sent with its secrets, or to its address: permission to write
 * data alone must not give the use of every integration.
 * @param use subject of the error message
 * @throws Problem `missing_scope`
 */
export function requireIntegrationsRead({ scopes }: Pick<Caller, 'scopes'>, use: string): void {
  if (scopes.includes(requiredScope)) return
  throw problem('missing_scope', {
    detail: `${use} requires the scope ${requiredScope}`,
    extra: { required_scope: requiredScope },
  })
}
