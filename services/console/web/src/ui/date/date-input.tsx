import { Popover } from '@base-ui/react/popover'
import { useId, useState } from 'react'
import { Icon, IconButton } from '../button/button.tsx'
import { Input } from '../form/controls.tsx'
import { TypedError, useTyped } from '../form/typed.tsx'
import { formatDay } from '../format/format-time.ts'
import { useReader } from '../format/reader.ts'
import { Calendar } from './calendar.tsx'
import styles from './date.module.css'
import { fromLocalTime, toLocalTime } from './local-time.ts'
import { formatTypedDay, parseTypedDay, typedDayPattern } from './parse-day.ts'
import { TimeInput } from './time-input.tsx'

interface DateInputProps {
  /** The day, `2026-11-23`. */
  value: string | undefined
  /** Called with a day within the limits, or undefined for none; a text that is no such day is marked instead. */
  onChange: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

/**
 * A date, typed as the reader writes dates or chosen from a calendar. A form with a text in it that is no date does not
 * submit (`data-unreadable`).
 */
export function DateInput({ value, onChange, min, max, disabled, ...control }: DateInputProps) {
  const { locale, timeZone } = useReader()
  const [isOpen, setOpen] = useState(false)
  const errorId = useId()
  const today = toLocalTime(new Date().toISOString(), { timeZone })?.slice(0, 10) ?? ''
  const read = (text: string) => {
    const day = parseTypedDay(text, locale)
    if (day === undefined) return { error: `Enter a date as ${typedDayPattern(locale)}` }
    if (min !== undefined && day < min) return { error: `Enter ${formatDay(min, { locale })} or later` }
    if (max !== undefined && day > max) return { error: `Enter ${formatDay(max, { locale })} or earlier` }
    return { value: day }
  }
  const typed = useTyped({ value, onChange, read, format: (day) => formatTypedDay(day, locale) })
  return (
    <div className="stack-1">
      <div className={styles.box}>
        <Input
          {...control}
          {...typed.input}
          {...typed.mark(errorId, control)}
          className={styles.date}
          disabled={disabled}
          placeholder={typedDayPattern(locale)}
          autoComplete="off"
        />
        <Popover.Root open={isOpen} onOpenChange={setOpen}>
          <Popover.Trigger
            render={
              <IconButton
                label="Choose a date"
                variant="quiet"
                size="small"
                disabled={disabled}
                className={styles.open}
              >
                <Icon name="calendar" size={16} />
              </IconButton>
            }
          />
          <Popover.Portal>
            <Popover.Positioner className={styles.positioner} align="end" sideOffset={4}>
              <Popover.Popup className={styles.popup} aria-label="Choose a date" initialFocus={false}>
                <Calendar
                  value={value}
                  today={today}
                  min={min}
                  max={max}
                  onChoose={(day) => {
                    onChange(day)
                    setOpen(false)
                  }}
                />
              </Popover.Popup>
            </Popover.Positioner>
          </Popover.Portal>
        </Popover.Root>
      </div>
      <TypedError id={errorId} error={typed.error} />
    </div>
  )
}

/**
 * Date and time of day in the zone of the reader.
 *
 * @param props.value the time, RFC 3339
 * @param props.onChange called with the time in UTC, or undefined for none; a date without a time means its beginning
 */
export function DateTimeInput({
  value,
  onChange,
  min,
  max,
  ...control
}: Omit<DateInputProps, 'value'> & { value: string | undefined }) {
  const reader = useReader()
  const local = toLocalTime(value, reader)
  const [day, time = '00:00'] = local?.split('T') ?? []
  const label = control['aria-label']
  return (
    <div className={styles.pair}>
      <DateInput
        {...control}
        value={day}
        min={toLocalTime(min, reader)?.slice(0, 10)}
        max={toLocalTime(max, reader)?.slice(0, 10)}
        onChange={(next) => onChange(next && fromLocalTime(`${next}T${time}`, reader))}
      />
      <TimeInput
        value={day === undefined ? undefined : time}
        onChange={(next) => day !== undefined && onChange(fromLocalTime(`${day}T${next ?? '00:00'}`, reader))}
        aria-label={label === undefined ? 'Time of day' : `${label}: time of day`}
        disabled={control.disabled === true || day === undefined}
      />
    </div>
  )
}
