/**
 * Pages of the console of resources, by the prefix of their ids. The id ends the path if the page shows one resource.
 */
const pages: Readonly<Record<string, string>> = {
  fr: 'forecasts/',
  scn: 'scenarios/',
  dpl: 'plans/',
  pls: 'plans',
  run: 'agents/runs/',
  src: 'data/',
  int: 'integrations/',
  wh: 'webhooks/',
  dest: 'webhooks/destinations/',
  akey: 'developer/keys/',
  doc: 'audit/exports/',
  bill: 'usage/invoices/',
  rcm: 'recommendations',
  usr: 'members',
  inv: 'members',
  sub: 'usage/plan',
  plan: 'usage/plan',
}

/** Pages of kinds of events whose notifications name no resource with a page of its own. */
const pagesOfKinds: Readonly<Record<string, string>> = {
  USAGE_LIMIT_REACHED: 'usage',
  PLAN_CHANGED: 'usage/plan',
  API_KEY_REVOKED: 'developer',
  USER_INVITED: 'members',
  USER_REMOVED: 'members',
  RECOMMENDATION_CREATED: 'recommendations',
}

/**
 * Returns the page of the console, below the path of the workspace, of what a notification is about; undefined if there
 * is none.
 * @param link path of the API that reads the resource
 */
export function consolePageOf({ kind, link }: { kind: string; link: string | null }): string | undefined {
  const fixed = pagesOfKinds[kind]
  if (fixed !== undefined) return fixed
  const [id, prefix] = /\b([a-z]+)_[0-9a-z]{26}$/.exec(link ?? '') ?? []
  const page = prefix === undefined ? undefined : pages[prefix]
  return page?.endsWith('/') ? page + id : page
}
