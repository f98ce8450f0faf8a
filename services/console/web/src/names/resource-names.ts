import { useQueries } from '@tanstack/react-query'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { useReader } from '../ui/format/reader.ts'
import { type NamePage, prefixOf, readers, readNames } from './name-readers.ts'

/**
 * Returns a function from the id of a resource to its name, undefined while or where it is not known. The names of the
 * kinds among the ids are read, as far as the user may read them.
 */
export function useResourceNames(ids: readonly string[]): (id: string) => string | undefined {
  const { names } = useNamesOf(ids)
  return (id) => names.get(id)
}

/** Returns the names that are known by now, by id. The map stays the same until more of them are. */
export function useNamesOf(ids: readonly string[]) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const reader = useReader()
  const kinds = [...Map.groupBy(new Set(ids), prefixOf)].flatMap(([prefix, ofKind]) => {
    const names = readers[prefix]
    return names === undefined ? [] : [{ prefix, names, asked: ofKind.toSorted() }]
  })
  return useQueries({
    queries: kinds.map(({ prefix, names, asked }) => ({
      queryKey: [workspaceId, 'names', prefix, asked, reader.locale],
      queryFn: ({ signal }: { signal: AbortSignal }) => readNames(names, asked, api, { signal }, reader),
      enabled: can(names.scope),
      staleTime: 60_000,
    })),
    combine: joinNames,
  })
}

const joinNames = (lists: readonly { data: NamePage['names'] | undefined; isLoading: boolean }[]) => ({
  names: new Map(lists.flatMap(({ data }) => data ?? [])),
  isReading: lists.some(({ isLoading }) => isLoading),
})

/**
 * Returns a function from the ids of principals to their names; to the id where a name is not known. While names are
 * read it returns an ellipsis: an id takes two lines of a table, and rows would move when the name replaces it.
 */
export function usePrincipalNames(ids: readonly (string | null | undefined)[]): (id: string) => string {
  const { names, isReading } = useNamesOf(ids.filter((id) => typeof id === 'string'))
  return (id) => names.get(id) ?? (isReading ? '…' : id)
}
