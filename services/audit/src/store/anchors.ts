import type { Query } from '@wp/database'
import type { ChainHead } from './record-types.ts'

/** The beginning of a chain whose older records were cut: the last record that was cut. */
export interface StoredAnchor extends ChainHead {
  cutAt: Date
  /** Signed by the audit log. */
  token: string
}

export async function findAnchor(query: Query, chain: string): Promise<StoredAnchor | undefined> {
  const [anchor] = await query<StoredAnchor>(
    'SELECT seq, hash, cut_at, token FROM audit_anchors WHERE workspace_id = $1',
    [chain],
  )
  return anchor
}
