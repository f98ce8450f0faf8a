import { countRows } from '@wp/database'

export const integrationQuota = countRows('integrations', 'integrations')
