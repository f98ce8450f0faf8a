import { countRows } from '@wp/database'

export const agentQuota = countRows('agents', 'agents')

export const blueprintQuota = countRows('blueprints', 'blueprints')
