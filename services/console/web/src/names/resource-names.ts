import { useQueries } from '@tanstack/react-query'
import { useCan, useWorkspace } from '../session/workspace-context.tsx'
import { useReader } from '../ui/format/reader.ts'
import { prefixOf, readers, readNames } from './name-readers.ts'

/**
 * Returns a function from the id of a resource to its name, undefined while or where it is not known. The names of the
 * kinds among the ids are read, as far as the user may read them.
 */
export const useResourceNames = (ids: readonly string[]): ((id: string) => string | undefined) => useNames(ids).nameOf

function useNames(ids: readonly string[]) {
  const { api, workspaceId } = useWorkspace()
  const can = useCan()
  const reader = useReader()
  const kinds = [...Map.groupBy(new Set(ids), prefixOf)].flatMap(([prefix, ofKind]) => {
    const names = readers[prefix]
    return names === undefined ? [] : [{ prefix, names, asked: ofKind.toSorted() }]
  })
  const lists = useQueries({
    queries: kinds.map(({ prefix, names, asked }) => ({
      queryKey: [workspaceId, 'names', prefix, asked, reader.locale],
      queryFn: ({ signal }: { signal: AbortSignal }) => readNames(names, asked, api, { signal }, reader),
      enabled: can(names.scope),
      staleTime: 60_000,
    })),
  })
  const names = new Map(lists.flatMap(({ data }) => data ?? []))
  return { nameOf: (id: string) => names.get(id), isReading: lists.some(({ isLoading }) => isLoading) }
}

/**
 * Returns a function from the ids of principals to their names; to the id where a name is not known. While names are
 * read it returns an ellipsis: an id takes two lines of a table, and rows would move when the name replaces it.
 */
export function usePrincipalNames(ids: readonly (string | null | undefined)[]): (id: string) => string {
  const { nameOf, isReading } = useNames(ids.filter((id) => typeof id === 'string'))
  return (id) => nameOf(id) ?? (isReading ? '…' : id)
}
