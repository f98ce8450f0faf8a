import { countRows } from '@wp/database'

export const agentQuota = countRows('agents', 'agents')

export const triggerQuota = countRows('triggers', 'triggers')

export const evaluationSetQuota = countRows('evaluation_sets', 'evaluation_sets')

export const evaluationQuota = countRows('evaluations', 'evaluations')

export const blueprintQuota = countRows('blueprints', 'blueprints')
