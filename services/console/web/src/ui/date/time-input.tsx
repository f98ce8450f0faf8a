import { type ComponentProps, useId } from 'react'
import { Input } from '../form/controls.tsx'
import { TypedError, useTyped } from '../form/typed.tsx'
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
