import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { auth } from '@wp/contracts'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import { useApiQuery, useCan, useIsCallerKnown, useWorkspace } from '../../session/workspace-context.tsx'
import { Button, classNames, Icon } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import { showError } from '../message/toast.ts'
import styles from './filter-bar.module.css'
import {
  addView,
  type FilterSearch,
  filtersOf,
  isSameFilter,
  readRememberedViews,
  rememberViews,
  type SavedView,
  viewsPage,
} from './saved-views.ts'

/** Filters with a name, which one click sets. */
export interface FilterPreset {
  label: string
  /** Search parameters of the page. */
  search: FilterSearch
}

const maxNameLength = 60

/** The presets of a list and the views that the person has saved, with a button to save another. */
export function FilterChips({ presets = [] }: { presets?: readonly FilterPreset[] }) {
  const search: FilterSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { views, store } = useSavedViews()
  const [isNaming, setNaming] = useState(false)
  const filters = filtersOf(search)
  const isFiltered = Object.keys(filters).length > 0
  const isNamed = [...presets, ...views].some((named) => isSameFilter(named.search, filters))
  // The router checks search parameters as it does those of a typed address.
  const apply = (next: FilterSearch) => void navigate({ to: '.', search: next as never })
  const toggle = (named: FilterSearch) => apply(isSameFilter(named, filters) ? {} : named)
  if (presets.length === 0 && views.length === 0 && !isFiltered) return null
  return (
    <div className={styles.chips}>
      {presets.map((preset) => (
        <Chip
          key={preset.label}
          label={preset.label}
          isPressed={isSameFilter(preset.search, filters)}
          onClick={() => toggle(preset.search)}
        />
      ))}
      {views.map((view) => (
        <span key={view.name} className={styles.savedView}>
          <Chip label={view.name} isPressed={isSameFilter(view.search, filters)} onClick={() => toggle(view.search)} />
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove the view ${view.name}`}
            title="Remove this view"
            onClick={() => store?.(views.filter(({ name }) => name !== view.name))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {isNaming && isFiltered ? (
        <NameForm
          onCancel={() => setNaming(false)}
          onName={(name) => {
            store?.(addView(views, { name, search: filters }))
            setNaming(false)
          }}
        />
      ) : (
        isFiltered &&
        !isNamed &&
        store && (
          <button type="button" className={styles.save} onClick={() => setNaming(true)}>
            <Icon name="plus" size={13} />
            Save this view
          </button>
        )
      )}
    </div>
  )
}

const Chip = ({ label, isPressed, onClick }: { label: string; isPressed: boolean; onClick: () => void }) => (
  <button
    type="button"
    className={classNames(styles.chip, styles.toggle)}
    aria-pressed={isPressed}
    title={label}
    onClick={onClick}
  >
    {label}
  </button>
)

function NameForm({ onName, onCancel }: { onName: (name: string) => void; onCancel: () => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onName(name.trim())
  }
  return (
    <form className={styles.naming} onSubmit={submit}>
      <Input
        aria-label="Name of the view"
        placeholder="Name of the view"
        value={name}
        maxLength={maxNameLength}
        ref={(input) => input?.focus()}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
      <Button size="small" variant="primary" type="submit">
        Save
      </Button>
    </form>
  )
}

type StoredViews = z.input<typeof auth.replaceSavedViews.body>['views']

/**
 * Returns the views that the person has saved of the list of this page, and a function that replaces them. The browser
 * remembers them, so that they are there before the list is.
 */
function useSavedViews(): {
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
