import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import type { auth } from '@wp/contracts'
import { type FormEvent, useId, useState } from 'react'
import type { z } from 'zod'
import { useApiQuery, useCan, useIsCallerKnown, useWorkspace } from '../../session/workspace-context.tsx'
import { Button, classNames, Icon } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import { TypedError } from '../form/typed.tsx'
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
  viewNameProblem,
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
  /** The name of the view that is renamed; empty for a view that is saved. */
  const [naming, setNaming] = useState<string>()
  const names = views.map(({ name }) => name)
  const done = () => setNaming(undefined)
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
      {views.map((view) =>
        naming === view.name ? (
          <NameForm
            key={view.name}
            initial={view.name}
            others={names.filter((name) => name !== view.name)}
            onDone={done}
            onName={(name) => store?.(views.map((each) => (each === view ? { ...view, name } : each)))}
          />
        ) : (
          <span key={view.name} className={styles.savedView}>
            <Chip
              label={view.name}
              isPressed={isSameFilter(view.search, filters)}
              onClick={() => toggle(view.search)}
            />
            <button
              type="button"
              className={classNames(styles.remove, styles.rename)}
              aria-label={`Rename the view ${view.name}`}
              title="Rename this view"
              onClick={() => setNaming(view.name)}
            >
              <Icon name="pencil" size={12} />
            </button>
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
        ),
      )}
      {naming === '' && isFiltered ? (
        <NameForm others={names} onDone={done} onName={(name) => store?.(addView(views, { name, search: filters }))} />
      ) : (
        isFiltered &&
        !isNamed &&
        store && (
          <button type="button" className={styles.save} onClick={() => setNaming('')}>
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

function NameForm({
  initial = '',
  others,
  onName,
  onDone,
}: {
  initial?: string
  others: readonly string[]
  onName: (name: string) => void
  onDone: () => void
}) {
  const [name, setName] = useState(initial)
  const errorId = useId()
  const error = viewNameProblem(name, others)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || error !== undefined) return
    onName(name.trim())
    onDone()
  }
  return (
    <form className={styles.naming} onSubmit={submit}>
      <Input
        aria-label="Name of the view"
        placeholder="Name of the view"
        value={name}
        maxLength={maxNameLength}
        aria-invalid={error !== undefined}
        aria-describedby={error && errorId}
        ref={(input) => input?.focus()}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
      />
      <Button size="small" onClick={onDone}>
        Cancel
      </Button>
      <Button size="small" variant="primary" type="submit">
        Save
      </Button>
      <TypedError id={errorId} error={error} />
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
