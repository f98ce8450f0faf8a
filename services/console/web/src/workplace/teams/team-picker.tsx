import { useState } from 'react'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import styles from '../buildings/edit/edit.module.css'
import { byName } from '../buildings/space-words.ts'
import { useTeams } from '../buildings/team-figures/names.ts'

const shown = 100

/** Chooses a team by its name. A search field appears where there are more than a list can show. */
export function TeamPicker({
  value,
  onChange,
  none,
  leftOut = [],
  ...control
}: {
  value: string | null
  onChange: (id: string | null) => void
  /** The text of no choice. */
  none: string
  /** Teams that cannot be chosen. */
  leftOut?: readonly string[]
  id?: string
  'aria-label'?: string
}) {
  const [search, setSearch] = useState('')
  const { data } = useApiQuery(['teams', 'choices', search], (api, options) =>
    api.solutions.listTeams({ query: { limit: shown, ...(search !== '' && { search }) } }, options),
  )
  const names = useTeams(value === null ? [] : [value])
  const choices = (data?.items ?? []).filter(({ id }) => !leftOut.includes(id)).toSorted(byName)
  const isKnown = value === null || choices.some(({ id }) => id === value)
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
          ...(isKnown ? [] : [{ value: value ?? '', label: names.get(value ?? '') ?? '…' }]),
          ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </div>
  )
}
