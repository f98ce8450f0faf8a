import { TimeInput } from '../../../ui/date/time-input.tsx'
import { Checkbox } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { type Space, weekdayName, weekdays } from '../space-words.ts'
import styles from './edit.module.css'

type OpeningHours = NonNullable<Space['opening_hours']>

const usual = { from: '08:00', to: '18:00' }

/** The opening hours of a space by weekday, or those of the space around it. */
export function OpeningHoursField({
  value,
  inherited,
  onChange,
  error,
}: {
  value: OpeningHours | null
  inherited: OpeningHours | undefined
  onChange: (value: OpeningHours | null) => void
  error: string | undefined
}) {
  return (
    <FieldGroup
      label="Opening hours"
      hint="Averages and shares are of these hours, in local time."
      {...(error !== undefined && { error })}
    >
      <Checkbox
        label="As the space around it, or 07:00 to 20:00 on weekdays"
        checked={value === null}
        onChange={({ target }) => onChange(target.checked ? null : (inherited ?? weekdayHours))}
      />
      {value !== null &&
        weekdays.map((weekday) => {
          const hours = value[weekday]
          const set = (change: typeof hours) => {
            const { [weekday]: _old, ...others } = value
            onChange(change === undefined ? others : { ...others, [weekday]: change })
          }
          return (
            <div key={weekday} className={styles.hours}>
              <Checkbox
                label={weekdayName(weekday)}
                checked={hours !== undefined}
                onChange={({ target }) => set(target.checked ? usual : undefined)}
              />
              {hours === undefined ? (
                <span>closed</span>
              ) : (
                (['from', 'to'] as const).map((end) => (
                  <TimeInput
                    key={end}
                    aria-label={`${weekdayName(weekday)} ${end}`}
                    canEndDay={end === 'to'}
                    value={hours[end]}
                    onChange={(time) => set({ ...hours, [end]: time ?? '' })}
                  />
                ))
              )}
            </div>
          )
        })}
    </FieldGroup>
  )
}

const weekdayHours: OpeningHours = Object.fromEntries(weekdays.slice(0, 5).map((weekday) => [weekday, usual]))
