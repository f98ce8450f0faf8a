import type { EndpointDefinition } from '../core/endpoint.ts'
import type { SignerName } from '../core/services.ts'
import { endpoints, type surfaces } from '../surfaces.ts'

/** Actions beside those that endpoints declare, and who may say of them that they happened. */
export const additionalAuditActions = {
  /** A credential that is known was refused what it asked for, by the edge. */
  'request.denied': 'gateway',
  'workspace.seeded': 'auth',
  'user.signed_in': 'auth',
  'user.signed_up': 'auth',
  'user.sign_in_failed': 'auth',
  'user.identity_linked': 'auth',
  'access_token.revoked': 'auth',
  /** A refresh token that was spent came again, so its whole family was ended. */
  'session.reuse_detected': 'auth',
  'webhook.disabled': 'webhook-delivery',
} as const satisfies Record<string, SignerName>

type ActionOf<Definition> = Definition extends { audit: { action: infer Action extends string } } ? Action : never
type Surfaces = typeof surfaces
type EndpointAction = {
  [Service in keyof Surfaces]: ActionOf<Surfaces[Service][keyof Surfaces[Service]]>
}[keyof Surfaces]

/** Everything the audit log can be told of. What is not declared would be refused by it, so it does not compile. */
export type AuditAction = EndpointAction | keyof typeof additionalAuditActions

/** Who may say of an action that it happened: the service whose endpoint declares it, or who is named above. */
export const auditActionOwners: ReadonlyMap<string, ReadonlySet<SignerName>> = ownersOf(
  endpoints,
  Object.entries(additionalAuditActions),
)

function ownersOf(
  declared: readonly { service: SignerName; definition: EndpointDefinition }[],
  further: readonly (readonly [string, SignerName])[],
): Map<string, Set<SignerName>> {
  const owners = new Map<string, Set<SignerName>>()
  const add = (action: string, owner: SignerName) => owners.set(action, (owners.get(action) ?? new Set()).add(owner))
  for (const { service, definition } of declared) if (definition.audit) add(definition.audit.action, service)
  for (const [action, owner] of further) add(action, owner)
  return owners
}
