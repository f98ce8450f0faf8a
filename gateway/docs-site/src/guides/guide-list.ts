/** The guides, in the order of the navigation. A guide is `docs/guides/<name>.md` and served at `/docs/<name>`. */
export const guideGroups = [
  { label: 'Get started', guides: ['quickstart', 'authentication', 'workspaces'] },
  { label: 'Using the API', guides: ['errors', 'pagination', 'idempotency', 'limits', 'versioning'] },
  { label: 'Products', guides: ['data', 'search', 'forecasting', 'agents', 'mcp'] },
  {
    label: 'Webhooks',
    guides: ['webhooks/receiving', 'webhooks/subscriptions', 'webhooks/local', 'webhooks/replay', 'events'],
  },
] as const
