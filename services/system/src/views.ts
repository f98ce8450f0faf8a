import type { system } from '@wp/contracts'
import type { z } from 'zod'
import type { VariableVersionRow } from './store/variable-versions.ts'
import type { VariableRow } from './store/variables.ts'

/** Returns the view of a variable. The value of a secret variable is null. */
export const variableView = (row: VariableRow): z.input<typeof system.getVariable.ok> => ({
  name: row.name,
  value: row.secret ? null : row.value,
  secret: row.secret,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Returns the view of a change of a variable. */
export const variableVersionView = (row: VariableVersionRow): z.input<typeof system.listVariableVersions.list> => ({
  version: row.version,
  action: row.action,
  value: row.value,
  secret: row.secret,
  changed_by: row.changedBy,
  changed_at: row.changedAt.toISOString(),
})
