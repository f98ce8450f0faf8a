import { randomBytes } from 'node:crypto'
import { invalidField, problem } from '@wp/contracts'
import { mapPage } from '@wp/database'
import type { Operation } from '../../context.ts'
import { transactAsAdmin } from '../../roles/transact-as-admin.ts'
import { findSsoConnection } from '../../store/directory/sso-connections.ts'
import {
  countSsoDomains,
  deleteSsoDomainRow,
  insertSsoDomain,
  listSsoDomainRows,
  listVerifiedDomains,
  markSsoDomainVerified,
  requireSsoDomain,
} from '../../store/directory/sso-domains.ts'
import { ssoDomainView, ssoRecordName } from '../../views.ts'

const maxDomains = 50

export const listSsoDomains: Operation<'listSsoDomains'> = async ({ database }, caller, { query }) => {
  const page = await database.read(caller, (_db, sql) => listSsoDomainRows(sql, caller.workspaceId, query))
  return mapPage(page, ssoDomainView)
}

export const getSsoDomain: Operation<'getSsoDomain'> = async ({ database }, caller, { params }) =>
  ssoDomainView(await database.read(caller, (_db, query) => requireSsoDomain(query, caller.workspaceId, params.domain)))

/** Adds a domain with a record to prove it; one that the workspace has keeps its record. */
export const createSsoDomain: Operation<'createSsoDomain'> = async (context, caller, { body }) =>
  await transactAsAdmin(context, caller, async (tx) => {
    const { workspaceId } = caller
    await insertSsoDomain(tx, workspaceId, body.domain, `wp-verify=${randomBytes(24).toString('base64url')}`)
    if ((await countSsoDomains(tx.query, workspaceId)) > maxDomains)
      throw problem('conflict', { detail: `A workspace has at most ${maxDomains} domains` })
    return ssoDomainView(await requireSsoDomain(tx.query, workspaceId, body.domain))
  })

/** Verifies a domain by its DNS record, which is looked up before the transaction. A verified domain stays so. */
export const verifySsoDomain: Operation<'verifySsoDomain'> = async (context, caller, { params: { domain } }) => {
  const { workspaceId } = caller
  const known = await context.database.read(caller, (_db, query) => requireSsoDomain(query, workspaceId, domain))
  const isVerified = known.verifiedAt !== null
  const isProved = isVerified || (await context.resolveTxt(ssoRecordName(domain))).includes(known.token)
  return await transactAsAdmin(context, caller, async (tx) => {
    const row = await requireSsoDomain(tx.query, workspaceId, domain)
    if (!isProved || row.token !== known.token)
      throw invalidField('/domain', `has no TXT record ${ssoRecordName(domain)} with the value ${known.token}`)
    if (!(await markSsoDomainVerified(tx, workspaceId, row)))
      throw problem('conflict', { detail: 'Another workspace has verified the domain; delete it there first' })
    return ssoDomainView(await requireSsoDomain(tx.query, workspaceId, domain))
  })
}

/** Deletes a domain of the workspace, unless it is the last that a required sign-in needs. */
export const deleteSsoDomain: Operation<'deleteSsoDomain'> = async (context, caller, { params: { domain } }) =>
  await transactAsAdmin(context, caller, async (tx) => {
    const { workspaceId } = caller
    if (!(await deleteSsoDomainRow(tx, workspaceId, domain))) throw problem('not_found')
    const connection = await findSsoConnection(tx.query, workspaceId)
    if (connection?.isRequired === true && (await listVerifiedDomains(tx.query, workspaceId)).length === 0)
      throw problem('conflict', { detail: 'The sign-in with the provider is required and needs a verified domain' })
    return { id: domain }
  })
