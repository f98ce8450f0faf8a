import { Controller, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import { Field } from '../form/field.tsx'
import { errorOf } from '../form/form.tsx'
import { TimeInput } from './time-input.tsx'

/** A labelled time of day of a form. */
export const TimeField = <Values extends FieldValues, Output>({
  form,
  name,
  label,
}: {
  form: UseFormReturn<Values, unknown, Output>
  name: Path<Values>
  label: string
}) => (
  <Controller
    control={form.control}
    name={name}
    render={({ field: { value, onChange } }) => (
      <Field label={label} error={errorOf(form, name)}>
        <TimeInput value={String(value)} onChange={(time) => onChange(time ?? '')} />
      </Field>
    )}
  />
)
