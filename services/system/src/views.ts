import type { system } from '@wp/contracts'
import type { z } from 'zod'
import type { Variable } from './store/variables.ts'

/** Returns the view of a variable. The value of a secret variable is null. */
export const variableView = (row: Variable): z.input<typeof system.getVariable.ok> => ({
  name: row.name,
  value: row.secret ? null : row.value,
  secret: row.secret,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
