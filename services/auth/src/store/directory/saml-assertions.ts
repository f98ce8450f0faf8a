import type { Database, Row } from '@wp/database'
import type { SamlAssertion } from '#db'
import type { Tx } from '../client.ts'
import { workerQuery } from '../cross-workspace.ts'

/** The claims of an identity, in the names of OpenID Connect, and others beside them. */
export type SsoClaims = { iss: string; sub: string } & Readonly<Record<string, unknown>>

export interface NewSamlAssertion
  extends Row<SamlAssertion, 'workspaceId' | 'assertionHash' | 'codeHash' | 'requestId'> {
  claims: SsoClaims
  expiresAt: Date
}

/** Inserts an assertion that was verified. @returns false if it was inserted before */
export async function insertSamlAssertion({ query }: Tx, assertion: NewSamlAssertion): Promise<boolean> {
  const { workspaceId, assertionHash, codeHash, requestId, claims, expiresAt } = assertion
  const rows = await query(
    `INSERT INTO saml_assertions (workspace_id, assertion_hash, code_hash, request_id, claims, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`,
    [workspaceId, assertionHash, codeHash, requestId, JSON.stringify(claims), expiresAt],
  )
  return rows.length === 1
}

/** Takes the claims of an assertion. They can be taken once, by its code and the request that it answers. */
export async function takeSamlClaims(
  pool: Database['worker'],
  workspaceId: string,
  { codeHash, requestId }: Pick<NewSamlAssertion, 'codeHash' | 'requestId'>,
): Promise<SsoClaims | undefined> {
  const [row] = await workerQuery(pool)<{ claims: SsoClaims }>(
    `WITH found AS (SELECT assertion_hash, claims FROM saml_assertions
       WHERE workspace_id = $1 AND code_hash = $2 AND request_id = $3 AND claims IS NOT NULL FOR UPDATE)
     UPDATE saml_assertions a SET claims = NULL FROM found
     WHERE a.workspace_id = $1 AND a.assertion_hash = found.assertion_hash RETURNING found.claims`,
    [workspaceId, codeHash, requestId],
  )
  return row?.claims
}
