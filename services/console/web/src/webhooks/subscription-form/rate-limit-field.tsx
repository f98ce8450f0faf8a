import { Input } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'

/** The rate limit of a subscription. @param value attempts per second; null: none */
export const RateLimitField = ({
  value,
  onChange,
  error,
}: {
  value: number | null
  onChange: (value: number | null) => void
  error?: string | undefined
}) => (
  <Field
    label="Rate limit"
    isOptional
    hint="Attempts per second at most, evenly spaced. What exceeds it waits"
    error={error}
  >
    <Input
      type="number"
      min={0.01}
      max={1_000}
      step="any"
      value={value === null || Number.isNaN(value) ? '' : value}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
    />
  </Field>
)
