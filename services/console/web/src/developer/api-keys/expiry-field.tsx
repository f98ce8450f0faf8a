import { useState } from 'react'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'

const dayMs = 86_400_000

const choices = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'At another time' },
] as const

/** Chooses when a key expires. @param onChange gets RFC 3339 in UTC; undefined for never */
export function ExpiryField({
  error,
  onChange,
}: {
  error: string | undefined
  onChange: (expiresAt: string | undefined) => void
}) {
  const [choice, setChoice] = useState<string>('never')
  const choose = (value: string) => {
    setChoice(value)
    const days = Number(value)
    onChange(Number.isNaN(days) ? undefined : new Date(Date.now() + days * dayMs).toISOString())
  }
  return (
    <>
      <Field label="Expires" error={choice === 'custom' ? undefined : error}>
        <Select options={choices} value={choice} onChange={({ target }) => choose(target.value)} />
      </Field>
      {choice === 'custom' && (
        <Field label="Expires at" hint="In your time zone." error={error}>
          <Input
            type="datetime-local"
            onChange={({ target }) => onChange(target.value === '' ? '' : new Date(target.value).toISOString())}
          />
        </Field>
      )}
    </>
  )
}
