import { type ComponentProps, useEffect, useId, useState } from 'react'
import { Input } from '../form/controls.tsx'
import styles from './date.module.css'
import { parseTypedTime } from './parse-day.ts'

const endOfDay = /^\s*24(?:[:.h]?00)?\s*$/

/**
 * A time of day, `09:30`, typed as people write times. @param props.onChange called with a time, or undefined for none
 * @param props.canEndDay takes `24:00`, the end of the day
 */
export function TimeInput({
  value,
  onChange,
  canEndDay = false,
  ...control
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> & {
  value: string | undefined
  onChange: (time: string | undefined) => void
  canEndDay?: boolean
}) {
  const errorId = useId()
  const read = (text: string) => {
    const time = canEndDay && endOfDay.test(text) ? '24:00' : parseTypedTime(text)
    return time === undefined ? { error: 'Enter a time as HH:MM' } : { value: time }
  }
  const typed = useTyped({ value, onChange, read, format: (time) => time })
  return (
    <div className="stack-1">
      <Input
        {...control}
        {...typed.input}
        {...typed.mark(errorId, { 'aria-describedby': control['aria-describedby'] })}
        className={styles.time}
        placeholder="HH:MM"
        autoComplete="off"
      />
      <TypedError id={errorId} error={typed.error} />
    </div>
  )
}

/** A text that is read as it is typed; what it means is reported at once, what is wrong with it when it is left. */
export function useTyped({
  value,
  onChange,
  read,
  format,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
  read: (text: string) => { value: string; error?: undefined } | { error: string; value?: undefined }
  format: (value: string) => string
}) {
  const shown = value === undefined ? '' : format(value)
  const [text, setText] = useState(shown)
  const [isLeft, setLeft] = useState(true)
  // A value from outside replaces the text, unless the text means the same.
  useEffect(() => setText((current) => (read(current).value === value ? current : shown)), [value])
  const result = text.trim() === '' ? { value: undefined } : read(text)
  const error = 'error' in result ? result.error : undefined
  const isUnreadable = error !== undefined
  const report = (next: string) => {
    setText(next)
    setLeft(false)
    const { value: meant } = next.trim() === '' ? { value: undefined } : read(next)
    if (meant !== value && (meant !== undefined || next.trim() === '')) onChange(meant)
  }
  return {
    error: isLeft ? error : undefined,
    input: {
      value: text,
      onChange: ({ target }: { target: { value: string } }) => report(target.value),
      onBlur: () => {
        setLeft(true)
        if (!isUnreadable) setText(shown)
      },
    },
    mark: (
      errorId: string,
      control: { 'aria-describedby'?: string | undefined; 'aria-invalid'?: boolean | undefined },
    ) => ({
      'data-unreadable': isUnreadable || undefined,
      'aria-invalid': (isUnreadable && isLeft) || control['aria-invalid'],
      'aria-describedby':
        [control['aria-describedby'], isUnreadable && isLeft && errorId].filter(Boolean).join(' ') || undefined,
    }),
  }
}

/** The problem of a text that is typed. */
export const TypedError = ({ id, error }: { id: string; error: string | undefined }) =>
  error !== undefined && (
    <div id={id} role="alert" className={styles.error}>
      {error}
    </div>
  )
