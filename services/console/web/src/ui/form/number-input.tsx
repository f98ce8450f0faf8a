import { type ComponentProps, useId } from 'react'
import { formatNumber } from '../format/format.ts'
import { numberProblem, parseNumber, typedNumber } from '../format/number-signs.ts'
import { Input } from './controls.tsx'
import { TypedError, useTyped } from './typed.tsx'

/**
 * A number, typed as the reader writes numbers. The number inputs of browsers read `480.000` as 480, and some `1,5` as
 * 15.
 *
 * @param props.onChange called with a number within the limits, or undefined for none and for a text that is no such
 * number, which is marked. A form with such a text does not submit (`data-unreadable`).
 */
export function NumberInput({
  value,
  onChange,
  min = -Infinity,
  max = Infinity,
  ...control
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'min' | 'max'> & {
  value: number | undefined
  onChange: (value: number | undefined) => void
  min?: number | undefined
  max?: number | undefined
}) {
  const errorId = useId()
  const read = (text: string) => {
    const error = numberProblem(text)
    if (error !== undefined) return { error }
    const number = parseNumber(text)
    if (number < min) return { error: `Enter ${formatNumber(min)} or more` }
    if (number > max) return { error: `Enter ${formatNumber(max)} or less` }
    return { value: String(number) }
  }
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = control
  const typed = useTyped({
    value: value === undefined ? undefined : String(value),
    onChange: (text) => onChange(text === undefined ? undefined : Number(text)),
    read,
    format: typedNumber,
  })
  return (
    <div className="stack-1">
      <Input
        {...control}
        {...typed.input}
        {...typed.mark(errorId, { 'aria-describedby': describedBy, 'aria-invalid': invalid === true })}
        onChange={(event) => {
          typed.input.onChange(event)
          if ('error' in read(event.target.value)) onChange(undefined)
        }}
        inputMode="decimal"
        autoComplete="off"
      />
      <TypedError id={errorId} error={typed.error} />
    </div>
  )
}
