import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import type { SignerName } from '../core/services.ts'
import { endpoints, type surfaces } from '../surfaces.ts'

/** Actions that no endpoint declares, with the only signer that may emit each. */
export const additionalAuditActions = {
  /** The edge denied the request of a valid credential. */
  'request.denied': 'gateway',
  'workspace.seeded': 'auth',
  /** Every service has deleted the data of a workspace. Recorded outside any workspace. */
  'workspace.deleted': 'auth',
  'user.signed_in': 'auth',
  /** A pending invitation was taken back: DELETE of an invited user. */
  'invitation.withdrawn': 'auth',
  'user.signed_up': 'auth',
  'user.sign_in_failed': 'auth',
  'user.identity_linked': 'auth',
  /** A user allowed a client to act for them in a workspace, or denied it. */
  'authorization.granted': 'auth',
  'authorization.denied': 'auth',
  'access_token.revoked': 'auth',
  /** A used refresh token was presented again, so all tokens of its session were revoked. */
  'session.reuse_detected': 'auth',
  'session.reported': 'auth',
  'passkey_recovery.requested': 'auth',
  'passkey_recovery.completed': 'auth',
  /** A user proved again who they are, within a session. */
  'session.reauthenticated': 'auth',
  'webhook.disabled': 'webhook-delivery',
  'event_destination.disabled': 'webhook-delivery',
  'invoice.issued': 'billing',
  'invoice.paid': 'billing',
  'invoice.voided': 'billing',
  /** A pending change of plan or seats took effect. */
  'subscription.change_applied': 'billing',
  /** Operators cut records after their retention. */
  'audit_log.cut': 'audit',
  /** Operators erased the personal data of a person. */
  'audit_log.personal_data_erased': 'audit',
} as const satisfies Record<string, SignerName>

type ActionOf<Definition> = Definition extends { audit: { action: infer Action extends string } } ? Action : never
type Surfaces = typeof surfaces
type EndpointAction = {
  [Service in keyof Surfaces]: ActionOf<Surfaces[Service][keyof Surfaces[Service]]>
}[keyof Surfaces]

/** Every action of the audit log, which rejects any other. */
export type AuditAction = EndpointAction | keyof typeof additionalAuditActions

/** The signers that may emit an action: the service whose endpoint declares it, or the signer named above. */
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
