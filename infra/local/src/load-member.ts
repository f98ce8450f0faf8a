import type { SignerName } from '@wp/contracts'

/** Imports the code of a member. The names of the modules are written out, so that they can be bundled. */
export const loadMember = (name: SignerName): Promise<unknown> => modules[name]()

const modules: Record<SignerName, () => Promise<unknown>> = {
  ai: () => import('@wp/ai-service'),
  audit: () => import('@wp/audit-service'),
  auth: () => import('@wp/auth-service'),
  billing: () => import('@wp/billing-service'),
  console: () => import('@wp/console-service'),
  data: () => import('@wp/data-service'),
  gateway: () => import('@wp/gateway'),
  integrations: () => import('@wp/integrations-service'),
  mcp: () => import('@wp/mcp-service'),
  notifications: () => import('@wp/notifications-service'),
  solutions: () => import('@wp/solutions-service'),
  system: () => import('@wp/system-service'),
  'webhook-delivery': () => import('@wp/webhook-delivery-service'),
}
