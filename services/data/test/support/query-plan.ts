/** A node of the plan that `EXPLAIN (ANALYZE, FORMAT JSON)` returns. */
export interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Counts the rows of a table that a plan has read. */
export function countRowsRead(node: PlanNode, table: string): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans: plans = [] } = node
  const own = node['Relation Name'] === table ? (rows + removed) * loops : 0
  return plans.reduce((sum, child) => sum + countRowsRead(child, table), own)
}
