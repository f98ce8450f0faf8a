import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { auth } from '@wp/contracts'
import type { z } from 'zod'
import { useApiQuery, useCan, useIsCallerKnown, useWorkspace } from '../../session/workspace-context.tsx'
import { showError } from '../message/toast.ts'
import { readRememberedViews, rememberViews, type SavedView, viewsPage } from './saved-views.ts'

type StoredViews = z.input<typeof auth.replaceSavedViews.body>['views']

/**
 * Returns the views that the person has saved of the list of this page, and a function that replaces them. The browser
 * remembers them, so that they are there before the list is.
 */
export function useSavedViews(): {
  views: readonly SavedView[]
  /** Undefined if the person may not save any. */
  store: ((views: readonly SavedView[]) => void) | undefined
} {
  const isAllowed = useCan()('workspace:read')
  const isKnown = useIsCallerKnown()
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const page = viewsPage(useLocation({ select: ({ pathname }) => pathname }))
  const { data } = useApiQuery<readonly SavedView[]>(
    ['saved-views', page],
    async (reader, options) => {
      const { views } = await reader.auth.getSavedViews({ query: { page } }, options)
      rememberViews(workspaceId, page, views)
      return views
    },
    {
      enabled: isKnown && isAllowed,
      staleTime: 300_000,
      initialData: () => readRememberedViews(workspaceId, page),
      initialDataUpdatedAt: 0,
    },
  )
  const queryKey = [workspaceId, 'saved-views', page]
  const { mutate } = useMutation({
    // Filters are search parameters: texts, numbers, flags and lists of texts. The API checks them.
    mutationFn: (views: readonly SavedView[]) =>
      api.auth.replaceSavedViews({ body: { page, views: [...views] as StoredViews } }),
    onMutate: (views) => client.setQueryData(queryKey, views),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return { views: data ?? [], store: isAllowed ? mutate : undefined }
}
