/** Filters of a list, as search parameters of its page. */
export type FilterSearch = Readonly<Record<string, unknown>>

/** Filters that a person has named, on one page. */
export interface SavedView {
  name: string
  search: FilterSearch
}

const maxViews = 20

/** Search parameters that are no filters: the position in the list, and dialogs that are open. */
const otherParameters: ReadonlySet<string> = new Set(['cursor', 'create', 'invite', 'edit', 'live'])

/** Returns the filters among the search parameters of a page, in a fixed order. */
export const filtersOf = (search: FilterSearch): FilterSearch =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => value !== undefined && !otherParameters.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Tells whether two sets of filters are the same. */
export const isSameFilter = (a: FilterSearch, b: FilterSearch): boolean =>
  JSON.stringify(filtersOf(a)) === JSON.stringify(filtersOf(b))

/** Returns the path of a list within its workspace, by which its views are stored. */
export const viewsPage = (pathname: string): string =>
  pathname.replace(/^(\/console)?\/ws_\w+/, '').replace(/\/$/, '') || '/'

const storageKey = 'console.views'

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'object' &&
  value.search !== null

/** Reads what this browser remembers of the views of a list; what this version cannot read is left out. */
export function readRememberedViews(
  workspaceId: string,
  page: string,
  storage: Pick<Storage, 'getItem'> = localStorage,
) {
  try {
    const stored: unknown = JSON.parse(storage.getItem(`${storageKey}:${workspaceId}${page}`) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

/** Remembers the views of a list until the sign-out. */
export function rememberViews(workspaceId: string, page: string, views: readonly SavedView[]): void {
  const key = `${storageKey}:${workspaceId}${page}`
  if (views.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(views))
}

/** Returns views with one more; the oldest go when there are too many. */
export const addView = (views: readonly SavedView[], { name, search }: SavedView): readonly SavedView[] =>
  [...views, { name, search: filtersOf(search) }].slice(-maxViews)

/** Returns what is wrong with the name of a view among the names of others; undefined if it can be saved. */
export const viewNameProblem = (name: string, others: readonly string[]): string | undefined =>
  others.some((other) => other.toLowerCase() === name.trim().toLowerCase()) ? 'Another view has this name' : undefined
