import { useEffect } from 'react'
import { Link } from '../../../ui/button/button-link.tsx'
import { Radio, Select } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { FormField } from '../../../ui/form/form.tsx'
import { formatName } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage, Skeleton } from '../../../ui/message/message.tsx'
import { useSpaces, useTeams } from '../use-names.ts'
import type { FormProps } from './forecast-form.ts'

const kinds = ['site', 'building', 'floor', 'zone', 'room'] as const

/** The building to forecast, and down to which level. */
export function BuildingFields({ form }: FormProps) {
  const { data, error, refetch } = useSpaces()
  const spaces = data?.items ?? []
  const spaceId = form.watch('workplace.space_id')
  const root = spaces.find(({ id }) => id === spaceId)
  const levels = kinds.filter(
    (kind, depth) =>
      spaces.some((space) => space.kind === kind) && (root === undefined || depth >= kinds.indexOf(root.kind)),
  )
  const usual = levels.includes('floor') ? 'floor' : (levels.at(-1) ?? '')
  const level = form.watch('workplace.level')
  const isPossible = levels.some((kind) => kind === level)
  const { setValue } = form
  useEffect(() => {
    if (!isPossible && usual !== '') setValue('workplace.level', usual)
  }, [isPossible, usual, setValue])
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height="8rem" />
  if (spaces.length === 0) return <NoSpaces />
  return (
    <>
      <FormField form={form} name="workplace.space_id" label="Building">
        <Select
          options={[
            { value: '', label: 'All buildings' },
            ...spaces
              .filter(({ kind }) => kind === 'site' || kind === 'building' || kind === 'floor')
              .map(({ id, name, parent_id: parent }) => {
                const around = spaces.find((space) => space.id === parent)?.name
                return { value: id, label: isolate(around === undefined ? name : `${around} / ${name}`) }
              })
              .toSorted((left, right) => left.label.localeCompare(right.label, 'en', { numeric: true })),
          ]}
        />
      </FormField>
      <FormField form={form} name="workplace.level" label="Separately for each">
        <Select options={levels.map((kind) => ({ value: kind, label: formatName(kind) }))} />
      </FormField>
      <FieldGroup label="The forecast counts">
        <Radio
          {...form.register('workplace.measure')}
          value="attendance"
          label="People of a day"
          hint="How many different people come"
        />
        <Radio
          {...form.register('workplace.measure')}
          value="peak"
          label="People present"
          hint="How many are there at the busiest moment of the day"
        />
      </FieldGroup>
    </>
  )
}

/** The teams to forecast. */
export function TeamFields({ form }: FormProps) {
  const { data, error, refetch } = useTeams()
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height="4rem" />
  if (data.items.length === 0) return <NoSpaces />
  return (
    <FormField form={form} name="workplace.team_id" label="Team">
      <Select
        options={[
          { value: '', label: 'All teams' },
          ...data.items
            .map(({ id, name }) => ({ value: id, label: isolate(name) }))
            .toSorted((left, right) => left.label.localeCompare(right.label, 'en', { numeric: true })),
        ]}
      />
    </FormField>
  )
}

function NoSpaces() {
  return (
    <p>
      There are no buildings and teams yet. <Link to="/$workspaceId/buildings">Set up buildings</Link>, or forecast a
      file.
    </p>
  )
}
