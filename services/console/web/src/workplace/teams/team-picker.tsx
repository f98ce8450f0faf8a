import { type ComponentProps, useState } from 'react'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { choicesQuery, NamePicker, type SpacePicker } from '../buildings/edit/space-picker.tsx'
import { useTeams } from '../buildings/team-figures/names.ts'

/** Chooses a team by its name. */
export function TeamPicker(props: Omit<ComponentProps<typeof SpacePicker>, 'kinds'>) {
  const { value } = props
  const [search, setSearch] = useState('')
  const { data } = useApiQuery(['teams', 'choices', search], (api, options) =>
    api.solutions.listTeams({ query: choicesQuery(search) }, options),
  )
  const name = useTeams(value === null ? [] : [value]).get(value ?? '')
  return (
    <NamePicker
      {...props}
      search={search}
      setSearch={setSearch}
      name={name}
      choices={data?.items}
      hasMore={data?.nextCursor != null}
    />
  )
}
