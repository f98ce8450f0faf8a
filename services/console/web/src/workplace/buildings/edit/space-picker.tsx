import { useState } from 'react'
import { useApiQuery } from '../../../session/workspace-context.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { nameInPlace, type Space, type SpaceKind } from '../space-words.ts'
import styles from './edit.module.css'

const shown = 100

/** Chooses a space, by its name. A search field appears where there are more than a list can show. */
export function SpacePicker({
  value,
  onChange,
  kinds,
  none,
  leftOut = [],
  ...control
}: {
  value: string | null
  onChange: (id: string | null) => void
  kinds: readonly SpaceKind[]
  /** The text of no choice. */
  none: string
  /** Spaces that cannot be chosen. */
  leftOut?: readonly string[]
  id?: string
  'aria-label'?: string
}) {
  const [search, setSearch] = useState('')
  const { data } = useApiQuery(['spaces', 'choices', kinds, search], (api, options) =>
    api.solutions.listSpaces(
      { query: { kind: kinds.join(','), limit: shown, ...(search !== '' && { search }) } },
      options,
    ),
  )
  const name = useSpaceName(value)
  const choices = (data?.items ?? [])
    .filter(({ id }) => !leftOut.includes(id))
    .map((space) => ({ value: space.id, label: pathName(space) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }))
  const isKnown = value === null || choices.some((choice) => choice.value === value)
  return (
    <div className={styles.picker}>
      {(search !== '' || data?.nextCursor) && (
        <Input
          type="search"
          aria-label="Find by name"
          placeholder="Find by name"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <Select
        {...control}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        options={[
          { value: '', label: none },
          ...(isKnown ? [] : [{ value: value ?? '', label: name ?? '…' }]),
          ...choices,
        ]}
      />
    </div>
  )
}

const pathName = (space: Space): string => [...space.path, space].map(({ name }) => name).join(' / ')

/** Returns the name of a space; undefined while it is not known. */
export function useSpaceName(id: string | null): string | undefined {
  const { data } = useApiQuery(
    ['spaces', id],
    (api, options) => api.solutions.getSpace({ params: { id: id ?? '' } }, options),
    { enabled: id !== null },
  )
  return data && nameInPlace(data)
}
