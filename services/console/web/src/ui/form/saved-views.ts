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

/** Returns the key under which this browser keeps the views of a page: those of all workspaces. */
export const viewsKey = (pathname: string): string =>
  `console.views:${pathname.replace(/^(\/console)?\/ws_\w+/, '').replace(/\/$/, '')}`

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'object' &&
  value.search !== null

/** Reads the views of a page; what this version cannot read is left out. */
export function readViews(storage: Pick<Storage, 'getItem'>, key: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

/** Returns views with one more, which replaces that of the same name; the oldest go when there are too many. */
export const addView = (views: readonly SavedView[], { name, search }: SavedView): readonly SavedView[] =>
  [...views.filter((view) => view.name !== name), { name, search: filtersOf(search) }].slice(-maxViews)
