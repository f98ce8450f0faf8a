import { type FormEvent, useMemo } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldGroup, FormActions } from '../../../ui/form/field.tsx'
import { ErrorMessage } from '../../../ui/message/message.tsx'
import { joinWords, objectiveNames, suggestName } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { Space, Workplace } from '../workplace.ts'
import { FloorChanges, PeopleChanges } from './change-rows.tsx'
import { CloseGrid } from './close-grid.tsx'
import { isComplete, problemOf } from './draft-problems.ts'
import { changesOf, openDays, type ScenarioDraft } from './scenario-draft.ts'
import { SeatTeams } from './seat-teams.tsx'
import { isPlannedByFloor, useBaseForecast, useStartScenario } from './use-start-scenario.ts'

const aims = Object.entries(objectiveNames).map(([value, label]) => ({ value, label }))

/**
 * What a scenario asks, in the words of a manager.
 * @param props.former the scenario that the new one is compared with
 * @param props.needsClosedFloor cannot be run before a floor is closed
 */
export function ScenarioForm({
  draft,
  onChange,
  workplace,
  submitLabel,
  former,
  needsClosedFloor = false,
}: {
  draft: ScenarioDraft
  onChange: (draft: ScenarioDraft) => void
  workplace: Workplace
  submitLabel: string
  former?: string
  needsClosedFloor?: boolean
}) {
  const { data: forecastId } = useBaseForecast(workplace, draft)
  const { start, isPending, step, error } = useStartScenario(workplace)
  const set = (change: Partial<ScenarioDraft>) => onChange({ ...draft, ...change })
  const days = useMemo(() => openDays(workplace, draft.spaceId), [workplace, draft.spaceId])
  const floors = useMemo(() => workplace.floorsOf(draft.spaceId), [workplace, draft.spaceId])
  // A floor without places is left out of every plan.
  const isPlanned = ({ id, effective }: Space) =>
    effective.capacity !== null ||
    draft.closed[id] !== undefined ||
    draft.floors.some(({ floor, kind }) => floor === id && kind === 'capacity')
  const [planned, unplanned] = [floors.filter(isPlanned), floors.filter((floor) => !isPlanned(floor))]
  const floorName = (id: string) => workplace.floorName(id, draft.spaceId)
  const isByFloor = isPlannedByFloor(workplace, draft.spaceId)
  // Only all people can change where no teams are planned.
  const people = isByFloor ? draft.people.filter(({ team }) => team === '') : draft.people
  const asked = { ...draft, people }
  const lacksClosedFloor = needsClosedFloor && Object.values(draft.closed).every((days) => days.length === 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || lacksClosedFloor || !isComplete(asked) || forecastId === undefined) return
    start({ draft: asked, forecastId }, former)
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field label="Building">
        <Select
          value={draft.spaceId ?? ''}
          options={workplace.buildings.map(({ id: value }) => ({ value, label: workplace.nameOf(value) }))}
          onChange={(event) => set({ spaceId: event.target.value, closed: {}, floors: [] })}
        />
      </Field>
      {draft.spaceId !== null && <SeatTeams key={draft.spaceId} spaceId={draft.spaceId} workplace={workplace} />}
      <FieldGroup
        label="Closed floors"
        hint={
          lacksClosedFloor
            ? 'Choose the floor that closes, and its days: press the boxes in its row.'
            : 'What you close stays closed. Others close where that helps.'
        }
      >
        <CloseGrid
          floors={planned}
          days={days}
          closed={draft.closed}
          nameOf={floorName}
          onChange={(closed) => set({ closed })}
        />
        {unplanned.length > 0 && (
          <p className="secondary size-table">
            Not planned, because their places are not stated: {joinWords(unplanned.map(({ id }) => floorName(id)))}.
          </p>
        )}
      </FieldGroup>
      <PeopleChanges
        rows={people}
        teams={isByFloor ? [] : workplace.teams}
        days={days}
        onChange={(people) => set({ people })}
      />
      <Field
        label="Promise"
        hint="Of 100 days, those on which everyone has a place"
        error={problemOf('promise', draft.promise)}
      >
        <Input inputMode="decimal" value={draft.promise} onChange={(event) => set({ promise: event.target.value })} />
      </Field>
      <details className={styles.advanced} open={draft.floors.length > 0 || undefined}>
        <summary>Advanced</summary>
        <div className={styles.form}>
          <Field label="Aim">
            <Select
              value={draft.objective}
              options={aims}
              onChange={(event) => {
                const objective = event.target.value as ScenarioDraft['objective'] // one of the options
                set({ objective })
              }}
            />
          </Field>
          <FloorChanges
            rows={draft.floors}
            floors={floors}
            nameOf={floorName}
            onChange={(rows) => set({ floors: rows })}
          />
          <Field label="Name" isOptional>
            <Input
              maxLength={200}
              value={draft.name ?? ''}
              placeholder={nameOf(asked, workplace)}
              onChange={(event) => set({ name: event.target.value || null })}
            />
          </Field>
        </div>
      </details>
      {error && <ErrorMessage error={error} />}
      <FormActions>
        <Button
          type="submit"
          variant="primary"
          isBusy={isPending}
          disabled={forecastId === undefined || lacksClosedFloor || !isComplete(asked)}
        >
          {step === 'forecast' ? (isByFloor ? 'Forecasting your floors' : 'Forecasting your teams') : submitLabel}
        </Button>
      </FormActions>
      {lacksClosedFloor ? (
        <p className="secondary size-table above-3" role="status">
          First choose a floor under “Closed floors”.
        </p>
      ) : (
        forecastId === null && (
          <p className="secondary size-table above-3" role="status">
            A forecast of your {isByFloor ? 'floors' : 'teams'} is made first, which takes about a minute.
          </p>
        )
      )}
    </form>
  )
}

const nameOf = (draft: ScenarioDraft, workplace: Workplace): string =>
  suggestName(
    { changes: changesOf(draft, workplace), space_id: draft.spaceId },
    workplace,
    openDays(workplace, draft.spaceId),
  )
