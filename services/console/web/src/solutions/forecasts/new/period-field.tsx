import { useEffect, useState } from 'react'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../../ui/form/field.tsx'
import { errorOf, FormField } from '../../../ui/form/form.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import type { FormProps } from './forecast-form.ts'
import { longestHorizon, longestPeriod, periodOptions, periodValue, readPeriod } from './period.ts'
import { useHistory } from './use-history.ts'

const frequencies = [
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
]

/** Days ahead of a forecast of the workplace. */
const maxAhead = 90

/** The reach of the forecast, by hour, day or week. */
export function PeriodField({ form }: FormProps) {
  const [what, frequency, horizon] = form.watch(['what', 'frequency', 'horizon'])
  const isOfWorkplace = what === 'building' || what === 'teams'
  const [isOther, setOther] = useState(false)
  const { space_id, team_id } = form.watch('workplace')
  const subject = what === 'building' && space_id !== '' ? { space_id } : undefined
  const team = what === 'teams' && team_id !== '' ? { team_id } : undefined
  const historyDays = useHistory(isOfWorkplace, subject ?? team)?.days
  const { setValue } = form
  useEffect(() => {
    if (!isOfWorkplace || historyDays === undefined || Number(horizon) <= longestHorizon(historyDays)) return
    const possible = longestPeriod(historyDays)
    if (possible !== undefined && !isOther) setValue('horizon', possible)
  }, [isOfWorkplace, historyDays, horizon, isOther, setValue])
  const value = isOther ? 'other' : periodValue(frequency, horizon)
  return (
    <>
      <Field
        label="Period"
        hint={isOfWorkplace && historyHint(historyDays)}
        error={value === 'other' ? undefined : errorOf(form, 'horizon')}
      >
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
            <Input inputMode="numeric" />
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

/** Says how far the history reaches. */
function historyHint(historyDays: number | undefined): string {
  if (historyDays === undefined) return 'A longer history allows a longer period.'
  const most = Math.min(maxAhead, longestHorizon(historyDays))
  if (most === maxAhead) return `The history is long enough for ${maxAhead} days ahead.`
  const days = formatCount(historyDays, 'day')
  return most === 0
    ? `There are ${days} of history, and 77 are needed for a week ahead.`
    : `There are ${days} of history: enough for up to ${most} days ahead.`
}
