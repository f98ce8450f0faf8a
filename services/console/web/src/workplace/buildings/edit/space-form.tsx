import { countryOfZone, zoneOfCountry } from '@wp/contracts'
import { useWorkspace } from '../../../session/workspace-context.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../../ui/form/form.tsx'
import { useApiForm } from '../../../ui/form/use-api-form.ts'
import { showSuccess } from '../../../ui/message/toast.ts'
import { kindName, kinds, type Space } from '../space-words.ts'
import { OpeningHoursField } from './opening-hours-field.tsx'
import { SpacePicker } from './space-picker.tsx'
import { changesOf, type SpaceValues, spaceDefaults, spaceSchemaOf } from './space-schema.ts'

interface SpaceFormProps {
  /** The space to change; a new one without it. */
  space?: Space
  /** The space that a new one lies in. */
  parent?: Space
  onDone: () => void
}

/** Adds or changes a space, in a drawer. */
export const SpaceDrawer = ({ isOpen, onDone, ...form }: SpaceFormProps & { isOpen: boolean }) => (
  <Dialog
    isOpen={isOpen}
    onClose={onDone}
    size="drawer"
    title={form.space ? `Edit ${form.space.name}` : form.parent ? `Add to ${form.parent.name}` : 'Add a space'}
  >
    <SpaceForm {...form} onDone={onDone} />
  </Dialog>
)

const timeZones = Intl.supportedValuesOf('timeZone')

function SpaceForm({ space, parent, onDone }: SpaceFormProps) {
  const { api, refresh } = useWorkspace()
  const save = async (body: SpaceValues) => {
    if (space === undefined) await api.solutions.createSpace({ body })
    else await api.solutions.updateSpace({ params: { id: space.id }, body: changesOf({ ...space }, body) })
    await Promise.all([refresh('spaces'), refresh('utilization')])
    showSuccess(space === undefined ? `Added ${body.name}` : `Saved ${body.name}`)
    onDone()
  }
  const around = space ?? parent
  const inheritedCurrency = around?.effective.currency ?? undefined
  const { form, ...state } = useApiForm({
    schema: spaceSchemaOf(inheritedCurrency),
    defaultValues: spaceDefaults(space, parent),
    onSubmit: save,
  })
  const kind = form.watch('kind')
  const parentError = errorOf(form, 'parent_id')
  const zone = form.watch('timezone') || around?.effective.timezone || ''
  const likely = countryOfZone.get(zone) ?? 'DE'
  const countryHint =
    !space?.country && around?.effective.country
      ? `Empty: ${around.effective.country}.`
      : `Two letters, such as ${likely}. Without it, public holidays are working days.`
  const ofCountry = zoneOfCountry.get(form.watch('country')?.toUpperCase() ?? '')
  const isOther = ofCountry !== undefined && zone !== ofCountry && (zone === '' || zone === 'UTC')
  const zoneHint = isOther ? (
    <>
      {zone === '' ? 'Empty: UTC. ' : ''}
      <button
        type="button"
        className="link"
        onClick={() => form.setValue('timezone', ofCountry, { shouldDirty: true })}
      >
        Use {ofCountry}
      </button>
    </>
  ) : (
    'Empty: as the space around it.'
  )
  return (
    <Form {...state} submitLabel={space === undefined ? 'Add' : 'Save'} onCancel={onDone}>
      <FormField form={form} name="name" label="Name">
        <Input autoFocus maxLength={200} autoComplete="off" />
      </FormField>
      <FieldRow>
        <FormField form={form} name="kind" label="Kind">
          <Select options={kinds.map((value) => ({ value, label: kindName(value) }))} />
        </FormField>
        <Field label="Lies in" error={parentError}>
          <SpacePicker
            value={form.watch('parent_id')}
            onChange={(id) => form.setValue('parent_id', id)}
            kinds={kinds.slice(0, kinds.indexOf(kind) + 1)}
            none="Nothing: it stands alone"
            leftOut={space ? [space.id] : []}
          />
        </Field>
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="capacity" label="Places" isOptional hint="Empty: the sum of what is in it.">
          <Input inputMode="numeric" />
        </FormField>
        <FormField form={form} name="area_m2" label="Area in m²" isOptional hint="Of the floor space.">
          <Input inputMode="decimal" />
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="annual_cost.amount" label="Cost a year" isOptional hint="Rent, energy, cleaning.">
          <Input inputMode="decimal" />
        </FormField>
        <FormField
          form={form}
          name="annual_cost.currency"
          label="Currency"
          isOptional
          hint={inheritedCurrency ? `Empty: ${inheritedCurrency}.` : 'Three letters, such as EUR.'}
        >
          <Input maxLength={3} />
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField
          form={form}
          name="avoidable_share"
          label="Ends when closed, in %"
          isOptional
          hint="Of the cost, such as cleaning. Without it, scenarios compute no saving."
        >
          <Input inputMode="decimal" />
        </FormField>
        <FormField form={form} name="country" label="Country" isOptional hint={countryHint}>
          <Input maxLength={2} />
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="timezone" label="Time zone" isOptional hint={zoneHint}>
          <Select
            options={[
              { value: '', label: 'As the space around it' },
              ...timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
            ]}
          />
        </FormField>
      </FieldRow>
      <OpeningHoursField
        value={form.watch('opening_hours') ?? null}
        inherited={around?.effective.opening_hours}
        onChange={(value) => form.setValue('opening_hours', value)}
        error={errorOf(form, 'opening_hours')}
      />
      <FormField
        form={form}
        name="external_id"
        label="Name in your files"
        isOptional
        hint="Values of your files with this text are counted here."
      >
        <Input maxLength={200} autoComplete="off" />
      </FormField>
    </Form>
  )
}
