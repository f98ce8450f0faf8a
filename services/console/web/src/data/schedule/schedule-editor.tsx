import { useId, useState } from 'react'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { formatRelative } from '../../ui/format/format-time.ts'
import type { FieldErrors } from '../../ui/schema-form/json-schema.ts'
import styles from '../shared/data.module.css'
import { nextRuns } from './next-runs.ts'
import { describeSchedule, type Schedule } from './schedule-text.ts'

const shownRuns = 3

const intervals = [900, 3600, 21_600, 86_400]
const expressions = { daily: '30 6 * * *', weekdays: '30 6 * * mon-fri', weekly: '30 6 * * mon' }

/** The schedules that a person picks by name; everything else is `interval` or `cron`. */
const presets = [
  { value: 'manual', label: 'Only when started' },
  ...intervals.map((seconds) => ({
    value: String(seconds),
    label: sentence(describeSchedule({ type: 'interval', interval_seconds: seconds })),
  })),
  { value: 'daily', label: 'Every day at a time' },
  { value: 'weekdays', label: 'On weekdays at a time' },
  { value: 'weekly', label: 'Every week at a time' },
  { value: 'interval', label: 'Another interval' },
  { value: 'cron', label: 'Cron expression' },
]

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const localTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function presetOf(schedule: Schedule): string {
  if (schedule.type === 'manual') return 'manual'
  if (schedule.type === 'cron') return 'cron'
  return intervals.includes(schedule.interval_seconds) ? String(schedule.interval_seconds) : 'interval'
}

/** Edits the schedule of a source and says when the next syncs are due. */
export function ScheduleEditor({
  value,
  onChange,
  errors,
}: {
  value: Schedule
  onChange: (schedule: Schedule) => void
  errors: FieldErrors
}) {
  const [preset, setPreset] = useState(() => presetOf(value))
  const timezone = value.type === 'cron' ? (value.timezone ?? 'UTC') : localTimeZone()
  const choose = (next: string) => {
    setPreset(next)
    const seconds = Number(next)
    if (next === 'manual') onChange({ type: 'manual' })
    else if (next === 'interval') onChange({ type: 'interval', interval_seconds: 7200 })
    else if (seconds > 0) onChange({ type: 'interval', interval_seconds: seconds })
    else {
      const expression = Object.entries(expressions).find(([name]) => name === next)?.[1]
      const current = value.type === 'cron' ? value.expression : expressions.daily
      onChange({ type: 'cron', expression: expression ?? current, timezone })
    }
  }
  return (
    <>
      <Field label="Schedule" error={errors.get('/schedule')}>
        <Select value={preset} onChange={(event) => choose(event.target.value)} options={presets} />
      </Field>
      {value.type === 'interval' && preset === 'interval' && (
        <Field label="Minutes between syncs" error={errors.get('/schedule/interval_seconds')}>
          <Input
            type="number"
            min={1}
            max={43_200}
            value={value.interval_seconds / 60}
            onChange={(event) =>
              onChange({ type: 'interval', interval_seconds: Math.round(Number(event.target.value) * 60) })
            }
          />
        </Field>
      )}
      {value.type === 'cron' && (
        <CronFields schedule={value} onChange={onChange} errors={errors} hasExpression={preset === 'cron'} />
      )}
      <NextRuns schedule={value} />
    </>
  )
}

function CronFields({
  schedule: { expression, timezone = 'UTC' },
  onChange,
  errors,
  hasExpression,
}: {
  schedule: Extract<Schedule, { type: 'cron' }>
  onChange: (schedule: Schedule) => void
  errors: FieldErrors
  hasExpression: boolean
}) {
  const id = useId()
  const [minute = '0', hour = '0', ...rest] = expression.split(' ')
  const change = (next: string) => onChange({ type: 'cron', expression: next, timezone })
  return (
    <FieldRow>
      {hasExpression ? (
        <Field
          label="Expression"
          hint="Minute, hour, day of the month, month, day of the week"
          error={errors.get('/schedule/expression')}
        >
          <Input isMono value={expression} spellCheck={false} onChange={(event) => change(event.target.value)} />
        </Field>
      ) : (
        <Field label="Time of day" error={errors.get('/schedule/expression')}>
          <Input
            type="time"
            value={`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`}
            onChange={(event) => {
              const [hours = '0', minutes = '0'] = event.target.value.split(':')
              change([Number(minutes), Number(hours), ...rest].join(' '))
            }}
          />
        </Field>
      )}
      {!hasExpression && rest[2] !== '*' && rest[2] !== 'mon-fri' && (
        <Field label="Day of the week">
          <Select
            value={rest[2]}
            onChange={(event) => change([minute, hour, '*', '*', event.target.value].join(' '))}
            options={weekdayOptions}
          />
        </Field>
      )}
      <Field label="Time zone" {...(hasExpression && { hint: 'IANA name' })} error={errors.get('/schedule/timezone')}>
        <Input
          list={`${id}-zones`}
          value={timezone}
          spellCheck={false}
          onChange={(event) => onChange({ type: 'cron', expression, timezone: event.target.value })}
        />
      </Field>
      <datalist id={`${id}-zones`}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </FieldRow>
  )
}

const weekdayOptions = [
  { value: 'mon', label: 'Monday' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
  { value: 'thu', label: 'Thursday' },
  { value: 'fri', label: 'Friday' },
  { value: 'sat', label: 'Saturday' },
  { value: 'sun', label: 'Sunday' },
]

function NextRuns({ schedule }: { schedule: Schedule }) {
  const now = new Date()
  const runs = nextRuns(schedule, now, shownRuns)
  const timeZone = schedule.type === 'cron' ? schedule.timezone : undefined
  return (
    <div className={styles.nextRuns} aria-live="polite">
      {runs === undefined ? (
        'This expression is not valid yet.'
      ) : runs.length === 0 ? (
        schedule.type === 'manual' ? (
          'Nothing is read until you start a sync.'
        ) : (
          'This expression never matches a date.'
        )
      ) : (
        <>
          <div>{sentence(describeSchedule(schedule))}. Next syncs:</div>
          <ul>
            {runs.map((run) => (
              <li key={run.getTime()}>
                {formatRun(run, timeZone)} <span>({formatRelative(run.getTime(), now.getTime())})</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const formatRun = (run: Date, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZoneName: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(run)
