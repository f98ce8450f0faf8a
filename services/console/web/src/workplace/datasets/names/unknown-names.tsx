import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useWorkspace } from '../../../session/workspace-context.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { formatCount, formatNumber } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { ErrorMessage } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import type { DatasetKind, DatasetValue } from '../dataset-words.ts'
import styles from '../datasets.module.css'
import { applyPlan, type NewPlace } from './apply-plan.ts'
import { askedBuildings, describeWaiting, type NameTarget, type PlannedName, planNames } from './name-plan.ts'
import { likelyPlace, type PlaceDraft, PlaceFields } from './place-fields.tsx'
import { type NewKind, newKinds } from './space-kinds.ts'
import { type KnownSpace, labelSpaces } from './space-labels.ts'

interface UnknownNamesProps {
  datasetId: string
  kind: DatasetKind
  values: readonly DatasetValue[]
  /** The names in the file, known or not; undefined if there are more than were read. */
  names: readonly DatasetValue[] | undefined
  spaces: readonly KnownSpace[]
  teams: readonly { id: string; name: string }[]
  /** The building that other names of the file are in. */
  buildingId: string | undefined
  /** There are more names than these. */
  hasMore: boolean
  onApplied: () => void
}

/** The names in a file that no space or team is known for, with what becomes of each. One button does it for all. */
export function UnknownNames(props: UnknownNamesProps) {
  const { datasetId, kind, values, names, spaces, teams, buildingId, hasMore, onApplied } = props
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const [targets, setTargets] = useState<ReadonlyMap<string, NameTarget>>(new Map())
  const [capacities, setCapacities] = useState<ReadonlyMap<string, number>>(new Map())
  const parentsOf = (building: string | undefined) =>
    spaces.filter(({ kind }) => kind === 'site' || (kind === 'building' && building === undefined))
  const [chosen, setChosen] = useState<ReadonlyMap<string | undefined, PlaceDraft>>(new Map())
  const [done, setDone] = useState(0)
  const created = useRef(new Map<string, string>())
  const labels = labelSpaces(spaces)
  const used = names && new Set(names.flatMap(({ mapped_to: id }) => id ?? []))
  const plan = planNames(values, kind, spaces, used).map((planned) => ({
    ...planned,
    target: targets.get(keyOf(planned)) ?? planned.target,
  }))
  const asked = askedBuildings(plan, spaces)
  // A building that the file names is another one than that of the other names.
  const placeOf = (building: string | undefined) =>
    chosen.get(building) ?? likelyPlace(building === undefined ? buildingId : undefined, parentsOf(building).length > 0)
  const apply = useMutation({
    mutationFn: () =>
      applyPlan({
        api,
        datasetId,
        plan,
        spaces,
        capacities,
        created: created.current,
        onProgress: setDone,
        places: new Map(asked.map((building) => [building, toPlace(placeOf(building))])),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [workspaceId, 'workplace'] })
      onApplied()
    },
  })
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]))
  const undecided = plan.find(({ target }) => target.type === 'undecided')
  const [unplaced] = asked.flatMap((building) => {
    const place = placeOf(building)
    const isPlaced = place.parentId === '' ? (building ?? place.building).trim() !== '' : place.parentId !== undefined
    return isPlaced ? [] : [building === undefined ? 'where the new places are' : `where “${isolate(building)}” is`]
  })
  const missing = unplaced ?? (undecided && `what “${isolate(undecided.value)}” is`)
  return (
    <Card title={titleOf(plan)} description={describeWaiting(plan, kind)}>
      <Stack>
        {asked.map((building) => (
          <PlaceFields
            key={building ?? ''}
            place={placeOf(building)}
            parents={parentsOf(building)}
            onChange={(place) => setChosen(new Map([...chosen, [building, place]]))}
            building={building}
          />
        ))}
        <section className={styles.names} tabIndex={0} aria-label="Names in the file">
          <table>
            <thead>
              <tr>
                <th scope="col">Name in the file</th>
                <th scope="col">Rows</th>
                <th scope="col">This is</th>
                {plan.some(hasPlaces) ? <th scope="col">Places (optional)</th> : <td />}
              </tr>
            </thead>
            <tbody>
              {plan.map((planned) => (
                <NameRow
                  key={keyOf(planned)}
                  planned={planned}
                  options={optionsOf(planned, values, planned.role === 'space' ? labels : teamNames)}
                  onTarget={(target) => setTargets(new Map([...targets, [keyOf(planned), target]]))}
                  capacity={capacities.get(planned.value)}
                  onCapacity={(capacity) => setCapacities(withEntry(capacities, planned.value, capacity))}
                />
              ))}
            </tbody>
          </table>
        </section>
        {hasMore && <p>These are the {formatNumber(plan.length)} with the most rows; the others follow.</p>}
        {apply.error && <ErrorMessage error={apply.error} />}
        <FormActions isSticky>
          {missing !== undefined && <span className="secondary size-table">First say above {missing}.</span>}
          <Button
            variant="primary"
            isBusy={apply.isPending}
            disabled={missing !== undefined}
            onClick={() => apply.mutate()}
          >
            {apply.isPending ? `${formatNumber(done)} of ${formatNumber(plan.length)}` : applyLabel(plan)}
          </Button>
        </FormActions>
      </Stack>
    </Card>
  )
}

function withEntry<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value | undefined): Map<string, Value> {
  const changed = new Map(map)
  if (value === undefined) changed.delete(key)
  else changed.set(key, value)
  return changed
}

const keyOf = ({ role, value }: { role: string; value: string }): string => `${role} ${value}`

const toPlace = ({ parentId, ...place }: PlaceDraft): NewPlace =>
  parentId === '' || parentId === undefined
    ? { parentId: undefined, ...place, site: place.site.trim(), building: place.building.trim() }
    : { parentId }

const countWords = (places: number, teams: number): string =>
  [places > 0 && formatCount(places, 'place'), teams > 0 && formatCount(teams, 'team')].filter(Boolean).join(' and ')

function titleOf(plan: readonly PlannedName[]): string {
  const teams = plan.filter(({ role }) => role === 'team').length
  return `${countWords(plan.length - teams, teams)} in the file ${plan.length === 1 ? 'is' : 'are'} new to us`
}

function applyLabel(plan: readonly PlannedName[]): string {
  const kinds = plan.flatMap(({ target }) => (target.type === 'new' ? target.kind : []))
  const teams = kinds.filter((kind) => kind === 'team').length
  return kinds.length === 0 ? 'Count the rows' : `Add ${countWords(kinds.length - teams, teams)} and count`
}

const kindLabels: Readonly<Record<NewKind, string>> = {
  building: 'A new building',
  floor: 'A new floor',
  zone: 'A new zone',
  room: 'A new room',
}

/** A list of every space would be too long for each row; suggestions are always there. */
const maxListed = 60

interface TargetOption {
  value: string
  label: string
  target: NameTarget
}

function optionsOf(
  { role, value, alike, parentId, target }: PlannedName,
  values: readonly DatasetValue[],
  known: ReadonlyMap<string, string>,
): TargetOption[] {
  const suggested = values.find((each) => each.role === role && each.value === value)?.suggestions ?? []
  const near = suggested.map(({ id, name }) => [id, known.get(id) ?? name] as const)
  const existing = [...new Map(known.size > maxListed ? near : [...near, ...known])]
  const inside = parentId === undefined ? '' : ` in ${isolate(known.get(parentId) ?? '')}`
  const fresh: TargetOption[] =
    role === 'team'
      ? [{ value: 'team', label: 'A new team', target: { type: 'new', kind: 'team' } }]
      : [
          ...newKinds.map((kind) => ({
            value: kind,
            label: `${kindLabels[kind]}${kind === 'building' ? '' : inside}`,
            target: { type: 'new' as const, kind },
          })),
          { value: 'whole', label: 'The whole building', target: { type: 'building' } },
        ]
  return [
    ...(target.type === 'undecided' ? [{ value: '', label: 'Choose what it is', target }] : []),
    ...(alike === undefined
      ? []
      : [{ value: 'same', label: `The same as “${isolate(alike)}”`, target: { type: 'same' as const, value: alike } }]),
    ...fresh,
    ...existing.map(([id, name]) => ({ value: id, label: name, target: { type: 'existing' as const, id } })),
    { value: 'left_out', label: 'Leave these rows out', target: { type: 'left_out' } },
  ]
}

const sameTarget = (a: NameTarget, b: NameTarget): boolean => JSON.stringify(a) === JSON.stringify(b)

const hasPlaces = ({ target }: PlannedName): boolean => target.type === 'new' && target.kind !== 'team'

function NameRow({
  planned,
  options,
  onTarget,
  capacity,
  onCapacity,
}: {
  planned: PlannedName
  options: readonly TargetOption[]
  onTarget: (target: NameTarget) => void
  capacity: number | undefined
  onCapacity: (capacity: number | undefined) => void
}) {
  const { value, rows, target } = planned
  return (
    <tr>
      <td>{value}</td>
      <td>{formatNumber(rows)}</td>
      <td>
        <Select
          aria-label={`${value} is`}
          value={options.find((option) => sameTarget(option.target, target))?.value ?? ''}
          options={options}
          onChange={(event) => {
            const option = options.find((each) => each.value === event.target.value)
            if (option) onTarget(option.target)
          }}
        />
      </td>
      <td>
        {hasPlaces(planned) && (
          <Input
            aria-label={`Places of ${value}`}
            className={styles.places}
            inputMode="numeric"
            value={capacity ?? ''}
            onChange={({ target: { value: text } }) => {
              if (/^\d{0,6}$/.test(text)) onCapacity(text === '' ? undefined : Number(text))
            }}
          />
        )}
      </td>
    </tr>
  )
}
