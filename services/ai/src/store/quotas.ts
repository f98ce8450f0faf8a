import { countRows } from '@wp/database'

export const agentQuota = countRows('agents', 'agents')

export const triggerQuota = countRows('triggers', 'triggers')

export const blueprintQuota = countRows('blueprints', 'blueprints')
