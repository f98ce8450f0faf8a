import { useState } from 'react'
import { useApiQuery } from '../../../session/workspace-context.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { byName, nameInPlace, type Space, type SpaceKind } from '../space-words.ts'

interface PickerProps {
  value: string | null
  onChange: (id: string | null) => void
  /** The text of no choice. */
  none: string
  /** Ids that cannot be chosen. */
  leftOut?: readonly string[]
  id?: string
  'aria-label'?: string
}

/** Chooses a space, by its name. */
export function SpacePicker({ kinds, ...props }: PickerProps & { kinds: readonly SpaceKind[] }) {
  const [search, setSearch] = useState('')
  const { data } = useApiQuery(['spaces', 'choices', kinds, search], (api, options) =>
    api.solutions.listSpaces({ query: { kind: kinds.join(','), ...choicesQuery(search) } }, options),
  )
  const name = useSpaceName(props.value)
  const choices = data?.items.map((space) => ({ id: space.id, name: pathName(space) }))
  return (
    <NamePicker
      {...props}
      search={search}
      setSearch={setSearch}
      name={name}
      choices={choices}
      hasMore={data?.nextCursor != null}
    />
  )
}

export const choicesQuery = (search: string) => ({ limit: 100, ...(search !== '' && { search }) })

/** Chooses from a list by name, with a search field if there are more. @param props.name of a value not in the list */
export function NamePicker({
  value,
  onChange,
  none,
  leftOut = [],
  search,
  setSearch,
  name,
  choices = [],
  hasMore,
  ...control
}: PickerProps & {
  search: string
  setSearch: (search: string) => void
  name: string | undefined
  choices: readonly { id: string; name: string }[] | undefined
  hasMore: boolean
}) {
  const isKnown = value === null || choices.some(({ id }) => id === value)
  return (
    <div className="stack-2">
      {(search !== '' || hasMore) && (
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
          ...choices
            .filter(({ id }) => !leftOut.includes(id))
            .toSorted(byName)
            .map(({ id, name: label }) => ({ value: id, label })),
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
