import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button, classNames, Icon } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import styles from './filter-bar.module.css'
import { addView, type FilterSearch, filtersOf, isSameFilter } from './saved-views.ts'
import { useSavedViews } from './use-saved-views.ts'

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
