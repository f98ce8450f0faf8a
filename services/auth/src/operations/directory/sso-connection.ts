import { type authSso, invalidField, type Operation, problem } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { publishInvalidation } from '../../identity-log/publish-invalidation.ts'
import { transactAsAdmin } from '../../roles/transact-as-admin.ts'
import { checkSsoProvider } from '../../sso/sso-provider.ts'
import { sealSsoTest, ssoTestSeconds } from '../../sso/sso-test.ts'
import type { Tx } from '../../store/client.ts'
import {
  deleteSsoConnectionRow,
  findSsoConnection,
  type SsoConnectionRow,
  ssoSecretData,
  upsertSsoConnection,
} from '../../store/directory/sso-connections.ts'
import { listVerifiedDomains } from '../../store/directory/sso-domains.ts'
import { findMemberRole } from '../../store/workspaces/memberships.ts'
import { ssoConnectionView } from '../../views.ts'

/** Returns the connection of the workspace, without its secret. */
export const getSsoConnection: Operation<typeof authSso.getSsoConnection, Context> = async (context, caller) => {
  const row = await context.database.read(caller, (_db, query) => findSsoConnection(query, caller.workspaceId))
  if (row === undefined) throw problem('not_found')
  return ssoConnectionView(context.publicBaseUrl, row)
}

/** Creates or changes the connection of the workspace. The issuer is called before the transaction. */
export const updateSsoConnection: Operation<typeof authSso.updateSsoConnection, Context> = async (
  context,
  caller,
  { body },
) => {
  const { workspaceId } = caller
  const known = await context.database.read(caller, (_db, query) => findSsoConnection(query, workspaceId))
  const next = merge(context, workspaceId, known, body)
  if (known?.issuer !== next.issuer || known.clientId !== next.clientId) await checkSsoProvider(context, next)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await findSsoConnection(tx.query, workspaceId)
    if (before?.updatedAt.getTime() !== known?.updatedAt.getTime())
      throw problem('conflict', { detail: 'The connection has just been changed' })
    const isStricter = next.isRequired || before?.isRequired === true
    if (isStricter && !authority.isOwner)
      throw problem('owner_required', { detail: 'Only an owner can require the sign-in, or change it while required' })
    if (next.isRequired) await checkRequired(tx, workspaceId, next)
    await upsertSsoConnection(tx, next)
    const { issuer, clientId, isRequired, breakGlassUserId } = next
    tx.audit({
      changes: { issuer, client_id: clientId, required: isRequired, break_glass_user_id: breakGlassUserId },
    })
    publishInvalidation(context, tx, { workspace_id: workspaceId })
    const after = await findSsoConnection(tx.query, workspaceId)
    if (after === undefined) throw new Error('a connection that was just stored was not found')
    return ssoConnectionView(context.publicBaseUrl, after)
  })
}

type Patch = Parameters<typeof updateSsoConnection>[2]['body']
type Connection = Omit<SsoConnectionRow, 'createdAt' | 'updatedAt'>

/** A secret goes to the issuer it was entered for only: a caller who can write it cannot have it sent elsewhere. */
function merge(
  { sealer }: Pick<Context, 'sealer'>,
  workspaceId: string,
  known: SsoConnectionRow | undefined,
  { issuer = known?.issuer, client_id: clientId = known?.clientId, client_secret: secret, ...patch }: Patch,
): Connection {
  if (issuer === undefined) throw invalidField('/issuer', 'is required')
  if (clientId === undefined) throw invalidField('/client_id', 'is required')
  const kept = known?.issuer === issuer ? known.secretSealed : undefined
  const secretSealed = secret === undefined ? kept : sealer.seal(secret, ssoSecretData(workspaceId))
  if (secretSealed === undefined) throw invalidField('/client_secret', 'is required with another issuer')
  const isRequired = patch.required ?? known?.isRequired ?? false
  const breakGlassUserId =
    patch.break_glass_user_id === undefined ? (known?.breakGlassUserId ?? null) : patch.break_glass_user_id
  const groupsClaim = patch.groups_claim ?? known?.groupsClaim ?? 'groups'
  return { workspaceId, issuer, clientId, secretSealed, groupsClaim, isRequired, breakGlassUserId }
}

/** Keeps the workspace from locking itself out: a verified domain is needed, and an owner who signs in otherwise. */
async function checkRequired(tx: Tx, workspaceId: string, { breakGlassUserId }: Connection): Promise<void> {
  if ((await listVerifiedDomains(tx.query, workspaceId)).length === 0)
    throw invalidField('/required', 'needs a verified domain')
  const role = breakGlassUserId === null ? undefined : await findMemberRole(tx, workspaceId, breakGlassUserId)
  if (role?.builtInRole !== 'owner')
    throw invalidField('/break_glass_user_id', 'must be an owner of the workspace while the sign-in is required')
}

/** Deletes the connection of the workspace. */
export const deleteSsoConnection: Operation<typeof authSso.deleteSsoConnection, Context> = async (context, caller) =>
  await transactAsAdmin(context, caller, async (tx, authority) => {
    const { workspaceId } = caller
    const before = await findSsoConnection(tx.query, workspaceId)
    if (before?.isRequired === true && !authority.isOwner)
      throw problem('owner_required', { detail: 'Only an owner can delete the connection while it is required' })
    if (!(await deleteSsoConnectionRow(tx, workspaceId))) throw problem('not_found')
    tx.audit({ targets: [{ type: 'workspace', id: workspaceId }] })
    publishInvalidation(context, tx, { workspace_id: workspaceId })
    return { id: workspaceId }
  })

/** Returns the address that starts a test of the connection. */
export const testSsoConnection: Operation<typeof authSso.testSsoConnection, Context> = async (context, caller) =>
  await transactAsAdmin(context, caller, async (tx) => {
    const { workspaceId } = caller
    if ((await findSsoConnection(tx.query, workspaceId)) === undefined) throw problem('not_found')
    const test = encodeURIComponent(sealSsoTest(context, workspaceId))
    return {
      workspace_id: workspaceId,
      url: `${context.publicBaseUrl}/v1/auth/login/sso?test=${test}`,
      expires_at: new Date(context.now() + ssoTestSeconds * 1000).toISOString(),
    }
  })
