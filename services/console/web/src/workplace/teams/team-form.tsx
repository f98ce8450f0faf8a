import { solutions } from '@wp/contracts'
import { z } from 'zod'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { IconButton } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Field, FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { numberText, textOfNumber } from '../../ui/form/number-text.ts'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import styles from '../buildings/edit/edit.module.css'
import { SpacePicker } from '../buildings/edit/space-picker.tsx'
import { changesOf } from '../buildings/edit/space-schema.ts'
import { useSpaces, useTeams } from '../buildings/team-figures/names.ts'
import type { Team } from '../buildings/team-figures/team-words.ts'
import { TeamPicker } from './team-picker.tsx'

const contract = solutions.createTeam.body.shape
const floorKinds = ['building', 'floor', 'zone'] as const

const schema = z.object({
  name: contract.name,
  headcount: numberText(z.number().int().min(0).max(1_000_000).nullable()),
  parent_id: z.string().nullable(),
  home_space_id: z.string().nullable(),
  near: z.array(z.string()),
  fixed_space_ids: z.array(z.string()),
  excluded_space_ids: z.array(z.string()),
  max_floors: numberText(z.number().int().min(1).max(1000).nullable()),
  contingency: numberText(z.number().min(0).max(100).nullable()).transform((percent) =>
    percent === null ? null : percent / 100,
  ),
})
type TeamValues = z.output<typeof schema>

const defaultsOf = (team: Team | undefined) => ({
  name: team?.name ?? '',
  headcount: textOfNumber(team?.headcount),
  parent_id: team?.parent_id ?? null,
  home_space_id: team?.home_space_id ?? null,
  near: team?.near ?? [],
  fixed_space_ids: team?.fixed_space_ids ?? [],
  excluded_space_ids: team?.excluded_space_ids ?? [],
  max_floors: textOfNumber(team?.max_floors),
  contingency: textOfNumber(team?.contingency == null ? null : team.contingency * 100),
})

/** Adds or changes a team, in a drawer. */
export const TeamDrawer = ({ isOpen, team, onDone }: { isOpen: boolean; team?: Team; onDone: () => void }) => (
  <Dialog isOpen={isOpen} onClose={onDone} size="drawer" title={team ? `Edit ${team.name}` : 'Add a team'}>
    <TeamForm {...(team && { team })} onDone={onDone} />
  </Dialog>
)

function TeamForm({ team, onDone }: { team?: Team; onDone: () => void }) {
  const { api, refresh } = useWorkspace()
  const save = async (body: TeamValues) => {
    if (team === undefined) await api.solutions.createTeam({ body })
    else await api.solutions.updateTeam({ params: { id: team.id }, body: changesOf({ ...team }, body) })
    await Promise.all([refresh('teams'), refresh('utilization')])
    showSuccess(team === undefined ? `Added ${body.name}` : `Saved ${body.name}`)
    onDone()
  }
  const { form, ...state } = useApiForm({ schema, defaultValues: defaultsOf(team), onSubmit: save })
  const [near, fixed, excluded] = [form.watch('near'), form.watch('fixed_space_ids'), form.watch('excluded_space_ids')]
  const places = useSpaces([...fixed, ...excluded])
  const teams = useTeams(near)
  const own = team ? [team.id] : []
  return (
    <Form {...state} submitLabel={team === undefined ? 'Add' : 'Save'} onCancel={onDone}>
      <FormField form={form} name="name" label="Name">
        <Input autoFocus maxLength={200} autoComplete="off" />
      </FormField>
      <FieldRow>
        <FormField form={form} name="headcount" label="People" isOptional hint="A list of people counts them itself.">
          <Input inputMode="numeric" />
        </FormField>
        <Field label="Part of" hint="A larger team." error={errorOf(form, 'parent_id')}>
          <TeamPicker
            value={form.watch('parent_id')}
            onChange={(id) => form.setValue('parent_id', id)}
            none="No other team"
            leftOut={own}
          />
        </Field>
      </FieldRow>
      <Field label="Home" hint="Where it usually sits." error={errorOf(form, 'home_space_id')}>
        <SpacePicker
          value={form.watch('home_space_id')}
          onChange={(id) => form.setValue('home_space_id', id)}
          kinds={floorKinds}
          none="Not stated"
        />
      </Field>
      <Several
        label="May sit only in"
        hint="Nothing: in any floor."
        ids={fixed}
        names={places}
        error={errorOf(form, 'fixed_space_ids')}
        onChange={(ids) => form.setValue('fixed_space_ids', ids)}
      >
        {(add) => <SpacePicker {...add} kinds={floorKinds} none="Add a place" leftOut={[...fixed, ...excluded]} />}
      </Several>
      <Several
        label="Must not sit in"
        ids={excluded}
        names={places}
        error={errorOf(form, 'excluded_space_ids')}
        onChange={(ids) => form.setValue('excluded_space_ids', ids)}
      >
        {(add) => <SpacePicker {...add} kinds={floorKinds} none="Add a place" leftOut={[...fixed, ...excluded]} />}
      </Several>
      <Several
        label="Should sit close to"
        ids={near}
        names={teams}
        error={errorOf(form, 'near')}
        onChange={(ids) => form.setValue('near', ids)}
      >
        {(add) => <TeamPicker {...add} none="Add a team" leftOut={[...near, ...own]} />}
      </Several>
      <FieldRow>
        <FormField form={form} name="max_floors" label="Floors at most" isOptional hint="Empty: any number.">
          <Input inputMode="numeric" />
        </FormField>
        <FormField
          form={form}
          name="contingency"
          label="Places kept free in %"
          isOptional
          hint="Of the places it needs."
        >
          <Input inputMode="decimal" />
        </FormField>
      </FieldRow>
    </Form>
  )
}

/** A list of spaces or teams that can be shortened, with a control that adds one. */
function Several({
  label,
  hint,
  ids,
  names,
  error,
  onChange,
  children,
}: {
  label: string
  hint?: string
  ids: readonly string[]
  names: ReadonlyMap<string, string>
  error: string | undefined
  onChange: (ids: string[]) => void
  children: (add: { 'aria-label': string; value: null; onChange: (id: string | null) => void }) => React.ReactNode
}) {
  return (
    <FieldGroup label={label} {...(hint && { hint })} error={error}>
      {ids.length > 0 && (
        <ul className={styles.chosen}>
          {ids.map((id) => (
            <li key={id}>
              <bdi>{names.get(id) ?? '…'}</bdi>
              <IconButton
                icon="close"
                label={`Remove ${names.get(id) ?? ''}`}
                size="small"
                variant="quiet"
                onClick={() => onChange(ids.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      {children({
        'aria-label': `Add: ${label}`,
        value: null,
        onChange: (id) => id !== null && onChange([...ids, id]),
      })}
    </FieldGroup>
  )
}
