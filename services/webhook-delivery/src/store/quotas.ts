import { countRows } from '@wp/database'

export const subscriptionQuota = countRows('subscriptions', 'subscriptions')
