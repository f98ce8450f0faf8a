import { countRows } from '@wp/database'

export const variableQuota = countRows('variables', 'workspace_variables')
