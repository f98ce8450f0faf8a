import { invalidField, problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Context, Operation } from '../../context.ts'
import { publishInvalidation } from '../../identity-log.ts'
import { transactAsAdmin } from '../../roles/transact-as-admin.ts'
import { createServiceKeyPair } from '../../sso/saml/key-pair.ts'
import { readMetadataSource } from '../../sso/saml/metadata-source.ts'
import { samlEntityId } from '../../sso/sso-addresses.ts'
import { checkSsoProvider, requireSamlProvider } from '../../sso/sso-provider.ts'
import { sealSsoTest, ssoTestSeconds } from '../../sso/sso-test.ts'
import type { Tx } from '../../store/client.ts'
import { deleteSamlProvider, findSamlProvider, upsertSamlProvider } from '../../store/directory/saml-providers.ts'
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

export const getSsoConnection: Operation<'getSsoConnection'> = async (context, caller) =>
  await context.database.read(caller, async (_db, query) => {
    const view = await readView(context, query, caller.workspaceId)
    if (view === undefined) throw problem('not_found')
    return view
  })

async function readView({ publicBaseUrl }: Context, query: Query, workspaceId: string) {
  const row = await findSsoConnection(query, workspaceId)
  return row && ssoConnectionView(publicBaseUrl, row, await findSamlProvider(query, workspaceId))
}

/** Creates or changes the connection of the workspace. The provider is called before the transaction. */
export const updateSsoConnection: Operation<'updateSsoConnection'> = async (context, caller, { body }) => {
  const { workspaceId } = caller
  const known = await context.database.read(caller, (_db, query) => findSsoConnection(query, workspaceId))
  const isSaml = (body.kind ?? known?.kind) === 'saml'
  const { connection: next, provider } = await (isSaml ? mergeSaml : mergeOpenId)(context, workspaceId, known, body)
  return await transactAsAdmin(context, caller, async (tx, authority) => {
    const before = await findSsoConnection(tx.query, workspaceId)
    if (before?.updatedAt.getTime() !== known?.updatedAt.getTime())
      throw problem('conflict', { detail: 'The connection has just been changed' })
    const isStricter = next.isRequired || before?.isRequired === true
    if (isStricter && !authority.isOwner)
      throw problem('owner_required', { detail: 'Only an owner can require the sign-in, or change it while required' })
    if (next.isRequired) await checkRequired(tx, workspaceId, next)
    await upsertSsoConnection(tx, next)
    if (provider !== undefined) await upsertSamlProvider(tx, provider)
    else if (!isSaml) await deleteSamlProvider(tx, workspaceId)
    const { kind, issuer, clientId, isRequired, breakGlassUserId } = next
    tx.audit({
      changes: { kind, issuer, client_id: clientId, required: isRequired, break_glass_user_id: breakGlassUserId },
    })
    publishInvalidation(context, tx, { workspace_id: workspaceId })
    const after = await readView(context, tx.query, workspaceId)
    if (after === undefined) throw new Error('a connection that was just stored was not found')
    return after
  })
}

type Patch = Parameters<typeof updateSsoConnection>[2]['body']
type Connection = Omit<SsoConnectionRow, 'createdAt' | 'updatedAt'>

interface Merged {
  connection: Connection
  /** Undefined if its metadata stays as it is, and with OpenID Connect. */
  provider?: Parameters<typeof upsertSamlProvider>[1]
}

/**
 * Merges a change of a connection with OpenID Connect, and reads the metadata of another issuer. A secret goes to the
 * issuer it was entered for only: a caller who can write it cannot have it sent elsewhere.
 */
async function mergeOpenId(
  context: Context,
  workspaceId: string,
  stored: SsoConnectionRow | undefined,
  body: Patch,
): Promise<Merged> {
  rejectFields(body, ['metadata_url', 'metadata_xml'], 'is of SAML')
  const known = stored?.kind === 'saml' ? undefined : stored
  const { issuer = known?.issuer, client_id: clientId = known?.clientId, client_secret: secret } = body
  if (issuer === undefined) throw invalidField('/issuer', 'is required')
  if (clientId === undefined) throw invalidField('/client_id', 'is required')
  const kept = known?.issuer === issuer ? known.secretSealed : undefined
  const secretSealed = secret === undefined ? kept : context.sealer.seal(secret, ssoSecretData(workspaceId))
  if (secretSealed === undefined) throw invalidField('/client_secret', 'is required with another issuer')
  const connection = { workspaceId, kind: 'oidc', issuer, clientId, secretSealed, ...mergePolicy(stored, body) }
  if (known?.issuer !== issuer || known.clientId !== clientId) await checkSsoProvider(context, connection)
  return { connection }
}

/** Merges a change of a connection with SAML, and reads the metadata that it names. The key pair stays. */
async function mergeSaml(
  context: Context,
  workspaceId: string,
  stored: SsoConnectionRow | undefined,
  body: Patch,
): Promise<Merged> {
  rejectFields(body, ['issuer', 'client_id', 'client_secret'], 'is of OpenID Connect; SAML has it in the metadata')
  const { metadata_url: url, metadata_xml: xml } = body
  if (url !== undefined && xml !== undefined)
    throw invalidField('/metadata_xml', 'must not be given beside metadata_url')
  const known = stored?.kind === 'saml' ? stored : undefined
  const source = url === undefined ? (xml === undefined ? undefined : { xml }) : { url }
  if (source === undefined) {
    if (known === undefined) throw invalidField('/metadata_url', 'is required, or metadata_xml')
    return { connection: { ...known, ...mergePolicy(known, body) } }
  }
  const { entityId: issuer, ...metadata } = await readMetadataSource(context, source)
  const keys = known && (await requireSamlProvider(context, workspaceId))
  const { privateKey, certificate } = keys
    ? { privateKey: undefined, certificate: keys.ownCertificate }
    : await createServiceKeyPair(`SAML ${workspaceId}`, context.now())
  const secretSealed =
    privateKey === undefined ? known?.secretSealed : context.sealer.seal(privateKey, ssoSecretData(workspaceId))
  if (secretSealed === undefined) throw new Error('a SAML connection has no private key')
  const clientId = samlEntityId(context.publicBaseUrl, workspaceId)
  return {
    connection: { workspaceId, kind: 'saml', issuer, clientId, secretSealed, ...mergePolicy(stored, body) },
    provider: { workspaceId, metadataUrl: url ?? null, ownCertificate: certificate, ...metadata },
  }
}

function rejectFields(body: Patch, fields: readonly (keyof Patch)[], message: string): void {
  for (const field of fields) if (body[field] !== undefined) throw invalidField(`/${field}`, message)
}

const mergePolicy = (known: SsoConnectionRow | undefined, patch: Patch) => ({
  isRequired: patch.required ?? known?.isRequired ?? false,
  breakGlassUserId:
    patch.break_glass_user_id === undefined ? (known?.breakGlassUserId ?? null) : patch.break_glass_user_id,
  groupsClaim: patch.groups_claim ?? known?.groupsClaim ?? 'groups',
})

/** Keeps the workspace from locking itself out: a verified domain is needed, and an owner who signs in otherwise. */
async function checkRequired(tx: Tx, workspaceId: string, { breakGlassUserId }: Connection): Promise<void> {
  if ((await listVerifiedDomains(tx.query, workspaceId)).length === 0)
    throw invalidField('/required', 'needs a verified domain')
  const role = breakGlassUserId === null ? undefined : await findMemberRole(tx, workspaceId, breakGlassUserId)
  if (role?.builtInRole !== 'owner')
    throw invalidField('/break_glass_user_id', 'must be an owner of the workspace while the sign-in is required')
}

export const deleteSsoConnection: Operation<'deleteSsoConnection'> = async (context, caller) =>
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
export const testSsoConnection: Operation<'testSsoConnection'> = async (context, caller) =>
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
