import { system } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { VariableVersionRow } from './store/variable-versions.ts'
import type { VariableRow } from './store/variables.ts'

/** Returns the view of a variable. The value of a secret variable is null. */
export const variableView = (row: VariableRow): z.input<typeof system.getVariable.ok> =>
  viewOf(system.getVariable.ok, row, { value: row.secret ? null : row.value })

/** Returns the view of a change of a variable. */
export const variableVersionView = (row: VariableVersionRow): z.input<typeof system.listVariableVersions.list> =>
  viewOf(system.listVariableVersions.list, row)
