import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { classNames, Icon, IconButton } from '../button/button.tsx'
import { useReader } from '../format/reader.ts'
import styles from './date.module.css'
import { addMonths, clampDay, dayAfterKey, firstWeekdayOf, weeksOfMonth } from './month-grid.ts'

/**
 * A month to choose a day from: a grid for the keyboard, with the arrows, Home and End, Page Up and Page Down.
 *
 * @param props.value the chosen day, `2026-11-23`
 * @param props.today the day of the reader, shown first if none is chosen
 */
export function Calendar({
  value,
  today,
  min,
  max,
  onChoose,
}: {
  value: string | undefined
  today: string
  min?: string | undefined
  max?: string | undefined
  onChoose: (day: string) => void
}) {
  const { locale } = useReader()
  const firstWeekday = useMemo(() => firstWeekdayOf(locale), [locale])
  const [focused, setFocused] = useState(() => clampDay(value ?? today, min, max))
  const grid = useRef<HTMLTableElement>(null)
  const isMoving = useRef(true)
  useEffect(() => {
    if (isMoving.current) grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus()
    isMoving.current = false
  }, [focused])
  const names = useMemo(() => dateNames(locale), [locale])
  const weeks = weeksOfMonth(focused, firstWeekday)
  const isOutside = (day: string) => day !== clampDay(day, min, max)
  const turn = (months: number) => setFocused((day) => clampDay(addMonths(day, months), min, max))
  const move = (event: KeyboardEvent) => {
    const next = dayAfterKey(focused, event, firstWeekday)
    if (next === undefined) return
    event.preventDefault()
    isMoving.current = true
    setFocused(clampDay(next, min, max))
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.month}>
        <IconButton label="Previous month" variant="quiet" size="small" onClick={() => turn(-1)}>
          <Icon name="chevron-left" />
        </IconButton>
        <strong aria-live="polite">{names.month(focused)}</strong>
        <IconButton label="Next month" variant="quiet" size="small" onClick={() => turn(1)}>
          <Icon name="chevron-right" />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a grid of dates (WAI-ARIA) */}
      <table ref={grid} role="grid" aria-label={names.month(focused)} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={names.weekday(day)}>
                {names.shortWeekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: cells of a grid can be selected
                <td key={day} aria-selected={day === value}>
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === focused ? 0 : -1}
                    className={classNames(styles.day, day.slice(0, 7) !== focused.slice(0, 7) && styles.otherMonth)}
                    aria-current={day === today ? 'date' : undefined}
                    aria-label={names.full(day)}
                    disabled={isOutside(day)}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns functions from a date to its names in a locale. */
function dateNames(locale: string | undefined) {
  const naming = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
    return (day: string) => format.format(new Date(`${day}T00:00:00Z`))
  }
  return {
    month: naming({ month: 'long', year: 'numeric' }),
    weekday: naming({ weekday: 'long' }),
    shortWeekday: naming({ weekday: 'short' }),
    full: naming({ dateStyle: 'full' }),
  }
}
