import { solutions } from '@wp/contracts'
import { useState } from 'react'
import { z } from 'zod'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TimeField } from '../../ui/date/time-field.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/form/controls.tsx'
import { FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { numberText, textOfNumber } from '../../ui/form/number-text.ts'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { dayNames, weekdays } from '../buildings/space-words.ts'
import type { Workplace } from '../scenarios/workplace.ts'
import type { PlanSchedule } from './plan-words.ts'
import styles from './plans.module.css'

const { local_time: localTime } = solutions.createPlanSchedule.body.shape
const within = (max: number, min = 0) => numberText(z.number().min(min).max(max))

const schema = z.object({
  space_id: z.string().min(1, 'Choose a building'),
  local_time: localTime.unwrap(),
  days: z.enum(['open', 'chosen']),
  weekdays: z.array(z.enum(weekdays)),
  scenario_id: z.string(),
  enabled: z.boolean(),
  meals: within(100),
  cleaning_min_people: within(10_000, 1),
  cleaning_minutes_per_person: within(60),
  climate_min_people: within(10_000, 1),
  heating_lead_minutes: within(720),
  heating_lag_minutes: within(720),
  ventilation_lead_minutes: within(720),
  ventilation_lag_minutes: within(720),
})
type Values = z.output<typeof schema>

const defaults = {
  meal_share: 0.6,
  cleaning_min_people: 1,
  cleaning_minutes_per_person: 1.5,
  climate_min_people: 5,
  heating_lead_minutes: 60,
  heating_lag_minutes: 0,
  ventilation_lead_minutes: 30,
  ventilation_lag_minutes: 30,
}

const parameterFields = [
  ['meals', 'Of 100 people, those who eat'],
  ['cleaning_min_people', 'Clean a floor from so many people'],
  ['cleaning_minutes_per_person', 'Minutes of cleaning a person'],
  ['climate_min_people', 'Heat and ventilate from so many people'],
  ['heating_lead_minutes', 'Heat so many minutes before'],
  ['heating_lag_minutes', 'Heat so many minutes after'],
  ['ventilation_lead_minutes', 'Ventilate so many minutes before'],
  ['ventilation_lag_minutes', 'Ventilate so many minutes after'],
] as const

function initialOf(schedule: PlanSchedule | undefined, spaceId: string, scenarioId: string | undefined) {
  const { meal_share: mealShare, ...parameters } = { ...defaults, ...schedule?.parameters }
  const texts = Object.entries(parameters).map(([name, value]) => [name, textOfNumber(value)] as const)
  return {
    space_id: schedule?.space_id ?? spaceId,
    local_time: schedule?.local_time ?? '06:00',
    days: schedule?.weekdays ? ('chosen' as const) : ('open' as const),
    weekdays: schedule?.weekdays ?? weekdays.slice(0, 5),
    scenario_id: scenarioId ?? schedule?.scenario_id ?? '',
    enabled: schedule?.enabled ?? true,
    meals: textOfNumber(Math.round(mealShare * 1000) / 10),
    ...(Object.fromEntries(texts) as Record<Exclude<keyof typeof defaults, 'meal_share'>, string>), // the names of the defaults
  }
}

/** Returns what the API is told about the values of the form. */
function bodyOf({
  days,
  weekdays: chosen,
  scenario_id: scenario,
  space_id: _,
  meals,
  local_time,
  enabled,
  ...rest
}: Values) {
  return {
    local_time,
    enabled,
    weekdays: days === 'open' ? null : chosen,
    scenario_id: scenario || null,
    parameters: { ...rest, meal_share: meals / 100 },
  }
}

/** Plans a building every day, or changes how it is planned. Undefined `schedule` for a new one. */
export function ScheduleDialog({
  schedule,
  scenarioId,
  spaceId,
  workplace,
  onClose,
}: {
  schedule: PlanSchedule | undefined
  /** A scenario to follow from now on. */
  scenarioId?: string | undefined
  spaceId: string | undefined
  workplace: Workplace
  onClose: () => void
}) {
  const { api, refresh } = useWorkspace()
  const [isDeleting, setDeleting] = useState(false)
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: initialOf(schedule, spaceId ?? workplace.buildings[0]?.id ?? '', scenarioId),
    fieldOfCode: { conflict: 'space_id' },
    onSubmit: async (values) => {
      const body = bodyOf(values)
      if (schedule === undefined) {
        const name = workplace.nameOf(values.space_id).slice(0, 200)
        await api.solutions.createPlanSchedule({ body: { ...body, name, space_id: values.space_id } })
      } else await api.solutions.updatePlanSchedule({ params: { id: schedule.id }, body })
      await refresh('plans')
      showSuccess('Daily plan saved')
      onClose()
    },
  })
  const space = form.watch('space_id')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={schedule === undefined ? 'Plan a building every day' : `Daily plan of ${schedule.name}`}
    >
      <Form {...state} submitLabel="Save" onCancel={onClose}>
        {schedule === undefined && (
          <FormField form={form} name="space_id" label="Building">
            <Select options={workplace.buildings.map(({ id: value }) => ({ value, label: workplace.nameOf(value) }))} />
          </FormField>
        )}
        <FieldRow>
          <TimeField form={form} name="local_time" label="Time of the building" />
          <FormField form={form} name="days" label="Days">
            <Select
              options={[
                { value: 'open', label: 'When it is open' },
                { value: 'chosen', label: 'These days' },
              ]}
            />
          </FormField>
        </FieldRow>
        {form.watch('days') === 'chosen' && (
          <FieldGroup label="Weekdays" error={errorOf(form, 'weekdays')}>
            <div className={styles.days}>
              {weekdays.map((day) => (
                <Checkbox key={day} label={dayNames[day]} value={day} {...form.register('weekdays')} />
              ))}
            </div>
          </FieldGroup>
        )}
        <ScenarioField form={form} spaceId={space} />
        <Checkbox label="Make a plan on each of these days" {...form.register('enabled')} />
        <details className={styles.advanced}>
          <summary>Advanced</summary>
          <FieldRow>
            {parameterFields.map(([name, label]) => (
              <FormField key={name} form={form} name={name} label={label}>
                <Input inputMode="decimal" />
              </FormField>
            ))}
          </FieldRow>
        </details>
        {schedule !== undefined && (
          <div>
            <Button variant="quiet" onClick={() => setDeleting(true)}>
              Stop and delete
            </Button>
          </div>
        )}
      </Form>
      {schedule !== undefined && (
        <ConfirmDialog
          isOpen={isDeleting}
          onClose={() => setDeleting(false)}
          title={`Delete the daily plan of ${schedule.name}`}
          confirmLabel="Delete"
          onConfirm={async () => {
            await api.solutions.deletePlanSchedule({ params: { id: schedule.id } })
            await refresh('plans')
            onClose()
          }}
        >
          No more plans are made. Those that were made stay.
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** The scenario that the plans follow: those of the building that keep their promise and close something. */
function ScenarioField({
  form,
  spaceId,
}: {
  form: Parameters<typeof FormField<z.input<typeof schema>, Values>>[0]['form']
  spaceId: string
}) {
  const { data } = useApiQuery(['scenarios', 'finished'], (api, options) =>
    api.solutions.listScenarios({ query: { limit: 100, status: 'finished' } }, options),
  )
  const chosen = form.watch('scenario_id')
  // Each forecast makes one of the same name.
  const formatTime = useWordFormat('shortTime', undefined)
  const usable = (data?.items ?? []).filter(
    ({ id, space_id: of, stale, summary }) =>
      id === chosen || (of === spaceId && !stale && summary?.is_feasible === true),
  )
  return (
    <FormField
      form={form}
      name="scenario_id"
      label="Scenario to follow"
      hint="The floors that it frees on a weekday are kept closed."
    >
      <Select
        key={usable.length}
        options={[
          { value: '', label: 'None' },
          ...usable.map(({ id: value, name, created_at: at }) => ({
            value,
            label: `${isolate(name)}, ${formatTime(at)}`,
          })),
          ...(chosen !== '' && usable.every(({ id }) => id !== chosen) ? [{ value: chosen, label: 'As before' }] : []),
        ]}
      />
    </FormField>
  )
}
