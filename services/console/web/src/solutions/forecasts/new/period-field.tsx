import { useState } from 'react'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import type { FormProps } from './forecast-form.ts'
import { periodOptions, periodValue, readPeriod } from './period.ts'

const frequencies = [
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
]

/** How far ahead the forecast reaches, by hour, day or week. */
export function PeriodField({ form }: FormProps) {
  const [what, frequency, horizon] = form.watch(['what', 'frequency', 'horizon'])
  const isOfWorkplace = what === 'building' || what === 'teams'
  const [isOther, setOther] = useState(false)
  const value = isOther ? 'other' : periodValue(frequency, horizon)
  return (
    <>
      <Field label="Period" error={value === 'other' ? undefined : errorOf(form, 'horizon')}>
        <Select
          value={value}
          options={periodOptions(isOfWorkplace)}
          onChange={({ target }) => {
            const period = readPeriod(target.value)
            setOther(period === undefined)
            if (period === undefined) return
            form.setValue('frequency', period.frequency)
            form.setValue('horizon', period.horizon)
          }}
        />
      </Field>
      {value === 'other' && (
        <FieldRow>
          <FormField form={form} name="horizon" label={isOfWorkplace ? 'Days ahead' : 'How many'}>
            <Input type="number" inputMode="numeric" min={1} max={isOfWorkplace ? 90 : 2000} />
          </FormField>
          {!isOfWorkplace && (
            <FormField form={form} name="frequency" label="Of">
              <Select options={frequencies} />
            </FormField>
          )}
        </FieldRow>
      )}
    </>
  )
}
