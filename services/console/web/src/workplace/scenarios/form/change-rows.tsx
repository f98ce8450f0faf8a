import type { ReactNode } from 'react'
import { Button, Icon, IconButton } from '../../../ui/button/button.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { FieldGroup } from '../../../ui/form/field.tsx'
import { dayNames, type Weekday } from '../../buildings/space-words.ts'
import styles from '../scenarios.module.css'
import type { Space, Team } from '../workplace.ts'
import { peopleProblem, problemOf } from './draft-problems.ts'
import { type FloorChange, floorKinds, newKey, type PeopleChange, peopleKinds } from './scenario-draft.ts'

const peopleLabels: Readonly<Record<PeopleChange['kind'], string>> = {
  percent: 'more people, in %',
  number: 'this many people',
  min_days: 'come at least, days a week',
  fixed_days: 'all come on',
  stagger: 'spread over the week',
}

const floorLabels: Readonly<Record<FloorChange['kind'], string>> = {
  capacity: 'places',
  annual_cost: 'costs a year',
  avoidable_share: '% of costs end when closed',
}

/** More or fewer people, and the rules of when they come, of one team or of all. */
export function PeopleChanges({
  rows,
  teams,
  days,
  onChange,
}: {
  rows: readonly PeopleChange[]
  teams: readonly Team[]
  days: readonly Weekday[]
  onChange: (rows: readonly PeopleChange[]) => void
}) {
  const set = (key: string, change: Partial<PeopleChange>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const teamOptions = [
    { value: '', label: teams.length === 0 ? 'All people' : 'All teams' },
    ...teams.map(({ id: value, name: label }) => ({ value, label })),
  ]
  return (
    <FieldGroup label="People" hint="More or fewer people, and when they come.">
      {rows.map((row, at) => {
        const label = `Change ${at + 1} of people`
        const problem = row.value === '' && row.kind !== 'fixed_days' ? undefined : peopleProblem(row)
        return (
          <Row
            key={row.key}
            label={label}
            problem={problem}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <Select
              aria-label={`${label}: team`}
              value={row.team}
              options={teamOptions}
              onChange={(event) => set(row.key, { team: event.target.value })}
            />
            <Select
              aria-label={`${label}: what changes`}
              value={row.kind}
              options={peopleKinds.map((value) => ({
                value,
                label: peopleLabels[value],
                disabled: value === 'number' && row.team === '',
              }))}
              onChange={(event) =>
                set(row.key, { kind: peopleKinds.find((kind) => kind === event.target.value) ?? 'percent' })
              }
            />
            {row.kind === 'fixed_days' ? (
              <span className={styles.days}>
                {days.map((day) => (
                  <button
                    key={day}
                    type="button"
                    className={styles.day}
                    aria-pressed={row.days.includes(day)}
                    aria-label={`${label}: ${dayNames[day]}`}
                    onClick={() =>
                      set(row.key, {
                        days: row.days.includes(day) ? row.days.filter((each) => each !== day) : [...row.days, day],
                      })
                    }
                  >
                    {dayNames[day].slice(0, 2)}
                  </button>
                ))}
              </span>
            ) : row.kind === 'stagger' ? null : (
              <Input
                aria-label={`${label}: number`}
                aria-invalid={problem !== undefined || undefined}
                inputMode="decimal"
                value={row.value}
                onChange={(event) => set(row.key, { value: event.target.value })}
              />
            )}
          </Row>
        )
      })}
      <AddButton onClick={() => onChange([...rows, { key: newKey(), team: '', kind: 'percent', value: '', days: [] }])}>
        Add a change of people
      </AddButton>
    </FieldGroup>
  )
}

/** Other places and costs of floors. */
export function FloorChanges({
  rows,
  floors,
  nameOf,
  onChange,
}: {
  rows: readonly FloorChange[]
  floors: readonly Space[]
  nameOf: (floorId: string) => string
  onChange: (rows: readonly FloorChange[]) => void
}) {
  const set = (key: string, change: Partial<FloorChange>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <FieldGroup label="Places and costs of floors">
      {rows.map((row, at) => {
        const label = `Change ${at + 1} of floors`
        const problem = row.value === '' ? undefined : problemOf(row.kind, row.value)
        return (
          <Row
            key={row.key}
            label={label}
            problem={problem}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <Select
              aria-label={`${label}: floor`}
              value={row.floor}
              options={floors.map(({ id: value }) => ({ value, label: nameOf(value) }))}
              onChange={(event) => set(row.key, { floor: event.target.value })}
            />
            <Select
              aria-label={`${label}: what changes`}
              value={row.kind}
              options={floorKinds.map((value) => ({ value, label: floorLabels[value] }))}
              onChange={(event) =>
                set(row.key, { kind: floorKinds.find((kind) => kind === event.target.value) ?? 'capacity' })
              }
            />
            <Input
              aria-label={`${label}: number`}
              aria-invalid={problem !== undefined || undefined}
              inputMode="decimal"
              value={row.value}
              onChange={(event) => set(row.key, { value: event.target.value })}
            />
          </Row>
        )
      })}
      <AddButton
        onClick={() => onChange([...rows, { key: newKey(), floor: floors[0]?.id ?? '', kind: 'capacity', value: '' }])}
      >
        Add a change of a floor
      </AddButton>
    </FieldGroup>
  )
}

const Row = ({
  label,
  problem,
  onRemove,
  children,
}: {
  label: string
  problem: string | undefined
  onRemove: () => void
  children: ReactNode
}) => (
  <div className={styles.changeRow}>
    {children}
    <IconButton label={`Remove ${label.toLowerCase()}`} size="small" variant="quiet" onClick={onRemove}>
      <Icon name="close" size={16} />
    </IconButton>
    {problem && (
      <span className={styles.problem} role="alert">
        {problem}
      </span>
    )}
  </div>
)

const AddButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <div>
    <Button icon="plus" size="small" variant="quiet" onClick={onClick}>
      {children}
    </Button>
  </div>
)
