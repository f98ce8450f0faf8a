import type { Query } from '@wp/database'

/** A table with rows of workspaces. */
export interface WorkspaceTable {
  /** `schema.table`. */
  name: string
  /** The same, quoted for SQL. */
  quoted: string
  /** The column that holds the workspace. */
  column: string
  /** An index begins with the column. */
  isIndexed: boolean
  isPartitioned: boolean
  /** Size in pages. */
  blocks: number
  /** The role that may delete rows: `app`, if row-level security covers the deletion; null if none may. */
  role: 'app' | 'worker' | null
  references: readonly string[]
}

/** Platform tables whose rows of a deleted workspace stay, with the reason. */
const retainedPlatformTables = {
  'platform.outbox': 'events, deleted 8 days after their publication, as long as the broker keeps them',
  'platform.workspace_data_deletions': 'the record of this deletion, deleted after 30 days',
} as const

/** Columns that hold a workspace under another name. */
const otherColumns = { 'platform.quota_limits': 'subject' } as const

const tablesStatement = `
  SELECT n.nspname || '.' || c.relname AS name, format('%I.%I', n.nspname, c.relname) AS quoted, a.attname AS column,
    c.relkind = 'p' AS is_partitioned,
    (pg_relation_size(c.oid) / current_setting('block_size')::bigint)::integer AS blocks,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL
      AND i.indkey[0] = a.attnum) AS is_indexed,
    CASE WHEN has_table_privilege('wp_app', c.oid, 'DELETE') THEN 'app'
         WHEN has_table_privilege('wp_worker', c.oid, 'DELETE') THEN 'worker' END AS role,
    ARRAY(SELECT DISTINCT rn.nspname || '.' || r.relname FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
      JOIN pg_namespace rn ON rn.oid = r.relnamespace WHERE f.contype = 'f' AND f.conrelid = c.oid) AS references
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE n.nspname IN ('public', 'platform') AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT a.attisdropped
    AND a.attname = coalesce($1::jsonb ->> (n.nspname || '.' || c.relname), 'workspace_id')`

/** Returns every table of the database with rows of workspaces. */
export const listWorkspaceTables = (query: Query): Promise<WorkspaceTable[]> =>
  query<WorkspaceTable>(tablesStatement, [JSON.stringify(otherColumns)])

/** Tables whose rows of a workspace are deleted, and those that stay. */
export interface DeletionPlan {
  /** In the order of the deletion. */
  tables: DeletableTable[]
  retained: { table: string; reason: string }[]
}

export type DeletableTable = WorkspaceTable & { role: 'app' | 'worker' }

/**
 * Plans the deletion of a workspace's rows.
 *
 * @param declared tables of the service whose rows stay, with the reason
 * @throws Error naming a table that no role may delete from and that is not declared to stay
 */
export function planDeletion(
  found: readonly WorkspaceTable[],
  declared: Readonly<Record<string, string>> = {},
): DeletionPlan {
  const reasons: Readonly<Record<string, string>> = { ...retainedPlatformTables, ...declared }
  const deletable = found.flatMap(({ role, ...table }) => {
    if (table.name in reasons) return []
    if (role === null) throw new Error(`no role may delete rows of ${table.name}: declare why its rows stay`)
    return [{ ...table, role }]
  })
  const retained = found
    .filter(({ name }) => name in reasons)
    .map(({ name }) => ({ table: name, reason: reasons[name] ?? '' }))
    .toSorted((a, b) => (a.table < b.table ? -1 : 1))
  return { tables: deletionOrder(deletable), retained }
}

/** A table that refers to others by foreign keys. */
interface ReferringTable {
  name: string
  references: readonly string[]
}

/**
 * Returns the tables in an order in which their rows can be deleted: each before the tables it refers to, otherwise by
 * name. Tables that refer to each other in a circle come last, by name.
 */
export function deletionOrder<T extends ReferringTable>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  let remaining = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  while (remaining.length > 0) {
    const referenced = new Set(
      remaining.flatMap(({ name, references }) => references.filter((other) => other !== name)),
    )
    const free = remaining.filter(({ name }) => !referenced.has(name))
    if (free.length === 0) return [...ordered, ...remaining]
    ordered.push(...free)
    remaining = remaining.filter(({ name }) => referenced.has(name))
  }
  return ordered
}
