import { useState } from 'react'
import { TimeInput } from '../date/time-input.tsx'
import { Input, Select } from '../form/controls.tsx'
import { Field, FieldRow } from '../form/field.tsx'
import { NumberInput } from '../form/number-input.tsx'
import { formatRelative, useWordFormat } from '../format/format-time.ts'
import { nextRuns } from './next-runs.ts'
import styles from './schedule.module.css'
import {
  allPresets,
  presetOf,
  scheduleOf,
  sentence,
  type TimedSchedule,
  timedPresets,
  timeOf,
  weekdayChoices,
  weekdayOf,
  withTime,
} from './schedule-preset.ts'
import { describeSchedule, type Schedule } from './schedule-text.ts'

const shownRuns = 3

const localTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

interface EditorProps {
  /** Plural noun of that which is due: `syncs`. */
  noun: string
  /** Returns the error of a field, such as `expression`; of the whole schedule without a field. */
  errorOf?: (field?: string) => string | undefined
}

/** Edits when something is due, by times alone, and says when that is next. */
export const TimedScheduleEditor = ({
  value,
  onChange,
  ...props
}: EditorProps & { value: TimedSchedule; onChange: (schedule: TimedSchedule) => void }) => (
  <Editor
    {...props}
    value={value}
    presets={timedPresets}
    onChange={(next) => {
      if (next.type === 'cron') onChange(next)
    }}
  />
)

/** Edits when something is due: at times, by an interval, or only when it is started. */
export const ScheduleEditor = (props: EditorProps & { value: Schedule; onChange: (schedule: Schedule) => void }) => (
  <Editor {...props} presets={allPresets} />
)

function Editor({
  value,
  onChange,
  presets,
  noun,
  errorOf = () => undefined,
}: EditorProps & {
  value: Schedule
  onChange: (schedule: Schedule) => void
  presets: readonly { value: string; label: string }[]
}) {
  const [preset, setPreset] = useState(() => {
    const picked = presetOf(value)
    return presets.some((one) => one.value === picked) ? picked : 'cron'
  })
  const timezone = value.type === 'cron' ? (value.timezone ?? 'UTC') : localTimeZone()
  return (
    <>
      <Field label="Schedule" error={errorOf()}>
        <Select
          value={preset}
          onChange={({ target }) => {
            setPreset(target.value)
            onChange(scheduleOf(target.value, value, timezone))
          }}
          options={presets}
        />
      </Field>
      {value.type === 'interval' && preset === 'interval' && (
        <Field label={`Minutes between ${noun}`} error={errorOf('interval_seconds')}>
          <NumberInput
            min={1}
            max={43_200}
            value={value.interval_seconds / 60}
            onChange={(minutes) =>
              minutes !== undefined && onChange({ type: 'interval', interval_seconds: Math.round(minutes * 60) })
            }
          />
        </Field>
      )}
      {value.type === 'cron' && <TimeFields schedule={value} onChange={onChange} errorOf={errorOf} preset={preset} />}
      <NextRuns schedule={value} noun={noun} />
    </>
  )
}

function TimeFields({
  schedule: { expression, timezone = 'UTC' },
  onChange,
  errorOf,
  preset,
}: {
  schedule: TimedSchedule
  onChange: (schedule: Schedule) => void
  errorOf: (field?: string) => string | undefined
  preset: string
}) {
  const change = (next: string) => onChange({ type: 'cron', expression: next, timezone })
  const { hour = '0', minute = '0' } = timeOf(expression) ?? {}
  return (
    <FieldRow>
      {preset === 'cron' && (
        <Field
          label="Cron expression"
          hint="Minute, hour, day of the month, month, day of the week"
          error={errorOf('expression')}
        >
          <Input isMono value={expression} spellCheck={false} onChange={({ target }) => change(target.value)} />
        </Field>
      )}
      {preset === 'weekly' && (
        <Field label="Day of the week">
          <Select
            value={weekdayOf(expression)}
            onChange={({ target }) => change([minute, hour, '*', '*', target.value].join(' '))}
            options={weekdayChoices}
          />
        </Field>
      )}
      {preset !== 'cron' && preset !== 'hourly' && (
        <Field label="Time of day" error={errorOf('expression')}>
          <TimeInput
            value={`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`}
            onChange={(time) => time !== undefined && change(withTime(expression, time))}
          />
        </Field>
      )}
      <Field label="Time zone" error={errorOf('timezone')}>
        <Select
          value={timezone}
          onChange={({ target }) => onChange({ type: 'cron', expression, timezone: target.value })}
          options={zonesWith(timezone)}
        />
      </Field>
    </FieldRow>
  )
}

/** Returns all time zones; a stored one may have a name that the browser does not list. */
const zonesWith = (timezone: string) =>
  [...new Set(['UTC', timezone, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({ value, label: value }))

function NextRuns({ schedule, noun }: { schedule: Schedule; noun: string }) {
  const now = new Date()
  const runs = nextRuns(schedule, now, shownRuns)
  const formatRun = useWordFormat('zonedTime', schedule.type === 'cron' ? schedule.timezone : undefined)
  return (
    <div className={styles.nextRuns} aria-live="polite">
      {runs === undefined ? (
        'This expression is not valid yet.'
      ) : runs.length === 0 ? (
        schedule.type === 'manual' ? (
          'Nothing happens until you start it.'
        ) : (
          'This expression never matches a date.'
        )
      ) : (
        <>
          <div>
            {sentence(describeSchedule(schedule))}. Next {noun}:
          </div>
          <ul>
            {runs.map((run) => (
              <li key={run.getTime()}>
                {formatRun(run)} <span>({formatRelative(run.getTime(), now.getTime())})</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
